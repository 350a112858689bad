import { runServer } from '@linewarden/server/run'
import { startDemoFleet } from './demo/demo-fleet.ts'

// `npm start`: the server with a simulated fleet beside it.
await runServer(startDemoFleet)
