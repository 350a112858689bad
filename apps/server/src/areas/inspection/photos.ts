import type { Reply, Request, roundPhoto, sendRoundPhoto } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { stopsNaming } from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { lockedRound } from '../../store/inspection/round.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { countStops } from './round-progress.ts'
import { stateRefusal } from './round-words.ts'

/** Photos of a round: each of its items has a few at most. */
const maxRoundPhotos = 3_000

function refuseUnlessWalked({ kind, state }: RoundRow): void {
  if (kind !== 'onSite' || state !== 'started') throw stateRefusal(state)
}

/** Photos that phones send of a round, by their hashes. */
export function createRoundPhotos({ database, photos }: InspectionDeps, access: InspectionAccess) {
  return { sendPhoto, photo }

  async function sendPhoto(
    actor: Actor,
    { RoundID, Hash }: Request<typeof sendRoundPhoto>['params'],
    piece: Request<typeof sendRoundPhoto>['body'],
  ): Promise<Reply<typeof sendRoundPhoto>> {
    const row = await access.seenRound(actor, RoundID)
    if (!access.mayInspect(actor, row.assignees)) throw new Refusal('round not yours')
    const owner = { kind: 'round' as const, id: RoundID }
    const isHere = (await photos.storedOf(owner, [Hash])).has(Hash)
    // What is here is confirmed once more, whatever became of the round.
    if (isHere) {
      // Whoever stored it may have broken off before it was counted.
      await counted(RoundID, Hash)
      return { Stored: true, Received: piece.Size }
    }
    refuseUnlessWalked(row)
    const received = await photos.receive(
      actor,
      { ...owner, projectId: row.project_id },
      { Hash, ...piece },
      {
        most: maxRoundPhotos,
        // What is finished while it is on its way stays as it was signed.
        async still(trx) {
          const now = await lockedRound(trx, RoundID)
          if (!now) throw new Refusal('round not exists')
          refuseUnlessWalked(now)
        },
        audit: {
          ...access.auditOf(actor, 'inspectionRound.photo', row.project_id),
          ...{ subject: { kind: 'inspectionRound', id: RoundID }, target: row.number, after: { hash: Hash, size: piece.Size } },
        },
      },
    )
    if (received.Stored) {
      await counted(RoundID, Hash)
      access.published(row)
    }
    return received
  }

  /** Lists show how many photos are missing still. */
  function counted(roundId: string, hash: string): Promise<void> {
    return database.general.transaction().execute(async (trx) => {
      const row = await lockedRound(trx, roundId)
      if (row?.state === 'started') await countStops(trx, row, await stopsNaming(trx, roundId, hash))
    })
  }

  async function photo(actor: Actor, { RoundID, Hash }: Request<typeof roundPhoto>['params']): Promise<Reply<typeof roundPhoto>> {
    await access.seenRound(actor, RoundID)
    return photos.file({ kind: 'round', id: RoundID }, Hash)
  }
}
