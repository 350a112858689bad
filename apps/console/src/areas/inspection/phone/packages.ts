import type { RoundPackage } from '@linewarden/contract'
import { roundPackage } from '@linewarden/contract'
import { api } from '../../../app/net/api.ts'
import type { Entry } from '../../../app/offline/entry.ts'
import { changeKept, keepThing, keptThing, keptThings } from '../../../app/offline/kept.ts'
import { phoneId } from '../../../app/offline/phone-id.ts'
import { askToPersist } from '../../../app/offline/space.ts'
import { answerId, arrivalId, thingOf } from './round-now.ts'

const kind = 'round'

/** A round with everything that is needed where there is no signal, as it was fetched. */
export interface KeptRound {
  readonly pack: RoundPackage
  /** By this phone's clock. */
  readonly fetchedAt: number
}

/** Takes a round down with the person: from now on it is walked without the server, too. */
export async function fetchRound(roundId: string): Promise<KeptRound> {
  // From now on this browser is one that walks rounds.
  phoneId()
  const pack = await api.call(roundPackage, { params: { RoundID: roundId } }, { timeoutMs: 60_000 })
  const kept: KeptRound = { pack, fetchedAt: Date.now() }
  await keepThing(kind, roundId, kept)
  await changeKept((entries) => stillNeeded(entries, pack))
  void askToPersist()
  return kept
}

/** What the server has named and now tells itself need not stay on the phone. */
export function stillNeeded(entries: readonly Entry[], { Round: { RoundID }, Stops, Answers }: RoundPackage): readonly Entry[] {
  const listed = new Map<string, number>()
  for (const { StopID, ItemID, Rev } of Answers) {
    const id = answerId(RoundID, StopID, ItemID)
    listed.set(id, Math.max(Rev, listed.get(id) ?? 0))
  }
  for (const { StopID, Arrived } of Stops) if (Arrived) listed.set(arrivalId(RoundID, StopID), Number.POSITIVE_INFINITY)
  return entries.filter(
    ({ id, thing, state, rev }) => thing !== thingOf(RoundID) || state !== 'held' || (listed.get(id) ?? 0) < rev,
  )
}

export const keptRound = (roundId: string): Promise<KeptRound | null> => keptThing<KeptRound>(kind, roundId)
export const keptRounds = (): Promise<readonly KeptRound[]> => keptThings<KeptRound>(kind)

/** A round that is over leaves the phone, but for what is not sent yet. */
export async function dropRound(roundId: string): Promise<void> {
  await keepThing(kind, roundId, null)
  await changeKept((entries) => entries.filter(({ thing, state }) => thing !== thingOf(roundId) || state !== 'held'))
}
