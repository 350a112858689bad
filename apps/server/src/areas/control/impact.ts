import type { OperationImpact } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CommandAction, Impact, ImpactLine } from '@linewarden/rules/control'
import { countToConfirm, impactOf, isConfirmed } from '@linewarden/rules/control'
import { isOfNow } from '../../plant/line-state.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { fedBelow } from '../../store/control/downstream.ts'
import type { Database } from '../../store/core/database.ts'

interface Deps {
  readonly database: Database
  readonly plant: Pick<Plant, 'lines'>
  readonly confirmAboveLines: number
  readonly clock: () => number
}

export type Impacts = ReturnType<typeof createImpacts>

/** What an order moves besides the lines it names, and whether the person has said that they know how many. */
export function createImpacts({ database, plant, confirmAboveLines: above, clock }: Deps) {
  return {
    async of(lines: readonly PlantLine[], action: CommandAction): Promise<OperationImpact> {
      const impact = await impactNow(lines)
      return {
        Lines: impact.named,
        Fed: impact.downstream,
        Feeders: impact.feeders,
        LoadKw: impact.loadKw,
        UnknownLoads: impact.unknownLoads,
        RatedKw: impact.ratedKw,
        Confirm: countToConfirm(action, impact, above),
        At: clock(),
      }
    },

    /** A single trip asks nothing, and waits for nothing either. */
    async refuseUnlessConfirmed(lines: readonly PlantLine[], action: CommandAction, typed: number | null): Promise<void> {
      if (action === 'silence' || (action === 'trip' && lines.length === 1)) return
      const impact = await impactNow(lines)
      const count = countToConfirm(action, impact, above)
      if (count !== null && !isConfirmed(action, typed, count, impact)) throw new Refusal('confirmation needed', { count })
    },
  }

  async function impactNow(lines: readonly PlantLine[]): Promise<Impact> {
    const named = new Set(lines.map(({ id }) => id))
    const feeders = await fedBelow(database.control, [...named])
    const now = clock()
    const all = new Set([...named, ...feeders.keys()])
    return impactOf(
      named,
      [...all].flatMap((id) => {
        const line = plant.lines.get(id)
        return line ? [impactLine(line, feeders.get(id) ?? null, now)] : []
      }),
    )
  }
}

const impactLine = (line: PlantLine, upstreamId: number | null, now: number): ImpactLine => ({
  id: line.id,
  upstreamId,
  loadKw: loadKwOf(line, now),
  ratedKw: ratedKwOf(line),
})

function loadKwOf(line: PlantLine, now: number): number | null {
  const total = line.device.family.points.find(({ key }) => key === 'power.total')
  if (!total || !isOfNow(line, now)) return null
  const value = line.values[total.slot] ?? Number.NaN
  return Number.isNaN(value) ? null : value
}

/** Nominal phase voltage of both standards (IEC 60038). */
const phaseVolts = 230

function ratedKwOf({ device, ratedCurrentA }: PlantLine): number | null {
  const phases = device.family.points.filter(({ quantity, phase }) => quantity === 'voltage' && phase !== undefined).length
  return ratedCurrentA === null || phases === 0 ? null : (ratedCurrentA * phaseVolts * phases) / 1000
}
