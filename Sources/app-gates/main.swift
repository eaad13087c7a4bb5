import AppGates

Program.main()
