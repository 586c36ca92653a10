// The server that the console's tests look at: its tools come from the file that it is told.
import '../../helpers/servers/tools-from-file.mjs'
