// A server that starts and never answers.
process.stdin.resume()
process.stdin.on('end', () => process.exit())
setInterval(() => {}, 1 << 30)
