import { keepCompiled } from '@linewarden/server/compiled'

keepCompiled()
const { runServer } = await import('@linewarden/server/run')
const { startDemoFleet } = await import('./demo/demo-fleet.ts')

// `npm start`: the server with a simulated fleet beside it.
// With `--quiet` nothing goes wrong by itself.
const quiet = process.argv.includes('--quiet')
await runServer((server, print) => startDemoFleet(server, print, { quiet }))
