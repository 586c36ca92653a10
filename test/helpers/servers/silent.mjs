// Runs, reads, and never says a word. With `stubborn` it does not even end when asked to.
if (process.argv[2] === 'stubborn') process.on('SIGTERM', () => {})
else process.stdin.on('end', () => process.exit())
process.stdin.resume()
setInterval(() => {}, 1 << 30)
