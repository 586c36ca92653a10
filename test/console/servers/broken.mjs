// Ends as a Python program does that was written against another version of its library.
process.stderr.write(`Traceback (most recent call last):
  File "/opt/sqlite/bin/mcp-server-sqlite", line 10, in <module>
    sys.exit(main())
             ^^^^^^
  File "/opt/sqlite/lib/mcp_server_sqlite/server.py", line 88, in main
    context = server.request_context
              ^^^^^^^^^^^^^^^^^^^^^^
AttributeError: 'Server' object has no attribute 'request_context'
`)
process.exitCode = 1
