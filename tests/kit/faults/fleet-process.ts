// A fleet in a process of its own, so that it can be stopped like a gateway that hangs. On its input: { gateways, url, executedLogFile }. Gateways
// carry their secrets, and a command line is for everybody on the machine to read.
import { text } from 'node:stream/consumers'
import { startFleet } from '@linewarden/simulator'

const { gateways, url, executedLogFile } = JSON.parse(await text(process.stdin))
const fleet = startFleet(gateways, { url, executedLogFile })
await fleet.ready
process.stdout.write('ready\n')
process.on('SIGTERM', () => void fleet.close().then(() => process.exit(0)))
