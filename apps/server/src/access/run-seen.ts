import type { RunRecord } from '@linewarden/contract'
import type { Plant } from '../plant/plant.ts'
import type { Actor } from './actor.ts'

/** A group operation as somebody may be told of it: of lines that they do not see, only that there are some. */
export function runSeenBy(actor: Pick<Actor, 'seesGateway'>, plant: Pick<Plant, 'lines'>, run: RunRecord): RunRecord {
  const Lines = run.Lines.filter(({ LineID }) => {
    const line = plant.lines.get(LineID)
    return line !== undefined && actor.seesGateway(line.device.gateway)
  })
  return { ...run, Whole: run.Whole && Lines.length === run.Lines.length, Lines }
}
