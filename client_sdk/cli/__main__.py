from client_sdk.cli import main

main()
