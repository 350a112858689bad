import { dayMs } from '@linewarden/equipment'
import type { HowCode, SupplyMember } from '@linewarden/rules/energy'
import { graverHow, How, quarterMs } from '@linewarden/rules/energy'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { readQuartersOf } from '../../store/energy/read.ts'

/** Days of lines that are read at once: a moment's work, and between two of them others have their turn. */
const maxAtOnce = 400

export interface SupplyLines {
  readonly members: readonly SupplyMember[]
  /** Whether a line is in the supply's project; of one that went elsewhere nothing is known. */
  readonly isHere: (lineId: number) => boolean
}

/**
 * Energy of a supply by quarter, members added and taken off: null where one of them is not known, and known no better than the least known of them.
 */
export async function supplyQuarters(
  read: ReadLines,
  { members, isHere }: SupplyLines,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<LineQuarters> {
  const count = Math.max(0, (to - from) / quarterMs)
  const sum = { wh: new Array<number | null>(count).fill(0), how: new Array<HowCode>(count).fill(How.measured) }
  const here = members.filter(({ lineId }) => isHere(lineId))
  if (here.length < members.length) addUnknown(sum)
  const atOnce = Math.max(1, Math.floor(maxAtOnce / Math.max(1, (to - from) / dayMs)))
  for (let at = 0; at < here.length; at += atOnce) {
    const part = here.slice(at, at + atOnce)
    const own = await read((db) =>
      readQuartersOf(
        db,
        part.map(({ lineId }) => ({ lineId, from, to })),
      ),
    )
    for (const [index, { sign }] of part.entries()) addLine(sum, own[index], sign)
  }
  return { from, wh: sum.wh, how: Uint8Array.from(sum.how) }
}

interface QuarterSums {
  readonly wh: (number | null)[]
  readonly how: HowCode[]
}

function addUnknown({ wh, how }: QuarterSums): void {
  wh.fill(null)
  how.fill(How.missing)
}

function addLine(sum: QuarterSums, own: LineQuarters | undefined, sign: 1 | -1): void {
  for (const [index, before] of sum.wh.entries()) {
    const each = own?.wh[index] ?? null
    sum.wh[index] = before === null || each === null ? null : before + sign * each
    const mark = each === null ? How.missing : ((own?.how[index] ?? How.missing) as HowCode)
    sum.how[index] = graverHow(sum.how[index] ?? How.missing, mark)
  }
}
