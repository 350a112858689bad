import type { getRound, InspectionRound, queryRounds, Reply, Request, RoundDetails, RoundSheet } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import { missingOf } from '@linewarden/rules/inspection'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { ordersOfHazards } from '../../store/inspection/answer.ts'
import type { RoundFilter, RoundRow } from '../../store/inspection/round.ts'
import { countRounds, listRounds, shownRound } from '../../store/inspection/round.ts'
import { sheetOf } from '../../store/inspection/sheet.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { answerRecords, roundRecord, stopRecord } from './round-record.ts'
import { itemsOf, roundContent } from './round-state.ts'
import { itemRecord, listName } from './stops.ts'

const maxMissingShown = 500

/** Lists of rounds, one of them, its sheet, and what is due. */
export function createRoundList(deps: InspectionDeps, access: InspectionAccess) {
  const { database } = deps
  return { query, get, details, sheet, record }

  async function query(
    actor: Actor,
    project: PlantProject | null,
    body: Request<typeof queryRounds>['body'],
  ): Promise<Reply<typeof queryRounds>> {
    const { Sort, Page = 1, Size = 10 } = body
    const filter: RoundFilter = {
      ...{ projectIds: access.projectsOf(actor, project, body.CityID), planId: body.PlanID ?? null, kind: body.Kind ?? null },
      ...{ state: body.State ?? null, mine: body.Mine ? actor.accountId : null, text: body.Text ?? '' },
      ...{ from: body.From === undefined ? null : dayOf(body.From), to: body.To === undefined ? null : dayOf(body.To) },
    }
    return withRowSecurity(database, actor.scope, async ({ general }) => {
      const rows = await listRounds(general, filter, { sort: Sort, page: Page, size: Size })
      const States = await countRounds(general, filter)
      const counted = Object.entries(States).filter(([state]) => filter.state === null || state === filter.state)
      const total = counted.reduce((sum, [, count]) => sum + count, 0)
      return { items: rows.map((row) => roundRecord(row, actor, access)), total, about: { States } }
    })
  }

  async function get(actor: Actor, roundId: string): Promise<Reply<typeof getRound>> {
    return details(actor, await access.seenRound(actor, roundId))
  }

  async function details(actor: Actor, row: RoundRow): Promise<RoundDetails> {
    const db = database.general
    const content = await roundContent(db, row)
    const hazards = [...content.current.values()].flatMap((answers) => answers.flatMap((answer) => answer.row.hazard_id ?? []))
    const orders = await ordersOfHazards(db, [...new Set(hazards)])
    return {
      Round: await record(actor, row.round_id),
      Stops: row.stops.map((stop) => stopRecord(stop, content.arrivals.get(stop.stopId))),
      Checklists: Object.entries(row.lists).map(([list, items]) => ({
        List: list,
        Name: listName(list),
        Items: items.map(itemRecord),
      })),
      Answers: row.stops.flatMap(({ stopId, list }) =>
        itemsOf(row, list).flatMap((item) =>
          answerRecords(content.current.get(`${stopId}/${item.id}`) ?? [], item, content.photos, orders),
        ),
      ),
      Missing:
        row.kind === 'online'
          ? []
          : missingOf(content)
              .slice(0, maxMissingShown)
              .map(({ stopId, itemId, what }) => ({ StopID: stopId, ItemID: itemId, What: what })),
      ...{ InspectorSignature: row.inspector_signature, ApproverSignature: row.approver_signature },
    }
  }

  async function sheet(actor: Actor, roundId: string): Promise<RoundSheet> {
    await access.seenRound(actor, roundId)
    const row = await sheetOf(database.general, roundId)
    if (!row) throw new Refusal('round sheet missing')
    return {
      ...{ Number: row.number, Hash: row.hash, Text: row.sheet, Revision: row.revision },
      Approved:
        row.approved_at && row.approval_hash !== null
          ? {
              ...{ Person: row.approver_name ?? '', At: row.approved_at.getTime(), Signature: row.approver_signature },
              Hash: row.approval_hash,
            }
          : null,
    }
  }

  async function record(actor: Actor, roundId: string): Promise<InspectionRound> {
    const row = await shownRound(database.general, roundId)
    if (!row || !access.sees(actor, row)) throw new Refusal('round not exists')
    return roundRecord(row, actor, access)
  }
}

/** A day as somebody writes it. */
export function dayOf(text: string): number {
  const day = parseDate(text)
  if (day === null) throw new Refusal('day wrong')
  return day
}

/** The month of a round's number, by the clock of its project. */
export const monthOf = (timeZone: string, at: number): string =>
  dateText(civilZone(timeZone).dayAt(at)).slice(0, 7).replace('-', '')
