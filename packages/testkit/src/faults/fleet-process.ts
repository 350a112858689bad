// A fleet in a process of its own, so that it can be stopped like a gateway that hangs. Argument: { gateways, url, executedLogFile }.
import { startFleet } from '@linewarden/simulator'

const { gateways, url, executedLogFile } = JSON.parse(process.argv[2] ?? '{}')
const fleet = startFleet(gateways, { url, executedLogFile })
await fleet.ready
process.stdout.write('ready\n')
process.on('SIGTERM', () => void fleet.close().then(() => process.exit(0)))
