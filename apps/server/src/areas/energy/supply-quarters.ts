import type { HowCode, SupplyMember } from '@linewarden/rules/energy'
import { graverHow, How, quarterMs } from '@linewarden/rules/energy'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { readQuarters } from '../../store/energy/read.ts'

/**
 * Energy of a supply by quarter, members added and taken off: null where one of them is not known, and known no better than the least known of them.
 * `isHere`: whether a line is in the supply's project; of one that went elsewhere nothing is known.
 */
export async function supplyQuarters(
  read: ReadLines,
  { members, isHere }: { readonly members: readonly SupplyMember[]; readonly isHere: (lineId: number) => boolean },
  from: number,
  to: number,
): Promise<LineQuarters> {
  const count = Math.max(0, (to - from) / quarterMs)
  const wh: (number | null)[] = new Array(count).fill(0)
  const how: HowCode[] = new Array(count).fill(How.measured)
  for (const { lineId, sign } of members) {
    // One line after the other: each is a moment's work, and between two of them others have their turn.
    const own = isHere(lineId) ? await read((db) => readQuarters(db, lineId, from, to)) : null
    for (let index = 0; index < count; index++) {
      const [sum, each] = [wh[index] ?? null, own?.wh[index] ?? null]
      wh[index] = sum === null || each === null ? null : sum + sign * each
      how[index] = each === null ? How.missing : graverHow(how[index] ?? How.missing, (own?.how[index] ?? How.missing) as HowCode)
    }
  }
  return { from, wh, how: Uint8Array.from(how) }
}
