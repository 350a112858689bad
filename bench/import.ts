import { addGateways } from '@linewarden/contract'
import { signedIn, startStack } from '../tests/kit/stack.ts'
import { newImei, newProject } from '../tests/kit/two-owners.ts'
import { median, rawCopyRate } from './calibrate.ts'
import { report } from './report.ts'

const targets = { dryRunMs: 2_000, importMs: 5_000 }
const rows = 200

/** A spreadsheet of 200 gateways, as the import dialog sends it: checked row by row, then added all at once. */
export async function importBench(options: { rounds?: number }): Promise<void> {
  const stack = await startStack({ plan: [] })
  const client = await signedIn(stack.url, stack.admin)
  const calibrating = await stack.server.database.connect()
  const rawCopyRowsPerSecond = await rawCopyRate(calibrating, 3)
  await calibrating.end()
  const dry: number[] = []
  const added: number[] = []
  for (let round = 0; round < (options.rounds ?? 5); round++) {
    const { HouseID } = await newProject(client, `导入 ${round}`)
    const Rows = Array.from({ length: rows }, (_, i) => ({
      Number: `IMP-${round}-${i}`,
      Name: `${i} 号箱`,
      IMEI: newImei(),
      Platform: 'sparkplug' as const,
      DeviceType: '4G' as const,
    }))
    const timed = async (DryRun: boolean) => {
      const began = performance.now()
      const { Added, Problems } = await client.call(addGateways, { body: { HouseID, Rows, DryRun } })
      if (Problems.length > 0 || Added !== (DryRun ? 0 : rows)) throw new Error(`added ${Added}: ${JSON.stringify(Problems[0])}`)
      return Math.round(performance.now() - began)
    }
    dry.push(await timed(true))
    added.push(await timed(false))
  }
  await stack.close()
  const dryRunMs = Math.max(...dry)
  const importMs = Math.max(...added)
  report('import', {
    rows,
    rounds: dry.length,
    dryRunMs,
    dryRunMedianMs: median(dry),
    importMs,
    importMedianMs: median(added),
    calibrator: { rawCopyRowsPerSecond },
    targets,
    verdict: dryRunMs < targets.dryRunMs && importMs < targets.importMs,
  })
}
