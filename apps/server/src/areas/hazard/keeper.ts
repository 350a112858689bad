import { about } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { selfTestEveryDays, testDue } from '@linewarden/rules/control'
import { selfTestKeys } from '@linewarden/rules/hazard'
import { watchDays } from '@linewarden/rules/workorder'
import { by } from '../../audit/audited.ts'
import { Loop } from '../../lib/every.ts'
import { inRounds } from '../../lib/rounds.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { detectionPlans } from '../../store/control/detection.ts'
import type { HazardRow, ObservedHazard } from '../../store/hazard/hazard.ts'
import { openHazard } from '../../store/hazard/hazard.ts'
import type { KeptHazard } from '../../store/hazard/keep.ts'
import {
  endHazard,
  expireRisks,
  findingsToTake,
  hazardsThere,
  knownSelfTests,
  saveHazardProof,
  seenSince,
} from '../../store/hazard/keep.ts'
import { joinOpenOrder } from '../../store/workorder/hazard-order.ts'
import { isTestable } from '../control/self-test-plans.ts'
import { hasMoved } from '../workorder/close-out.ts'
import { createProof } from '../workorder/proof.ts'
import type { HazardDeps } from './deps.ts'
import { takeExams } from './exams.ts'
import type { HazardAccess } from './hazard-access.ts'

const everyMs = 60_000
const system = { userName: 'system', address: '' }

/** What becomes of hazards by itself: they are found, show themselves again, are proved to be gone, and end what was accepted; docs/adr/0143. */
export function createHazardKeeper(deps: HazardDeps, access: HazardAccess) {
  const { database, plant, clock, log } = deps
  const db = database.general
  const proof = createProof(deps)
  const kept = inRounds(
    (part) => hazardsThere(db, clock() - watchDays * dayMs, part),
    ({ hazard_id }) => hazard_id,
  )
  const loop = new Loop(everyMs, lookAfter, {
    ...{ log, failed: 'looking after hazards failed; it is tried again', spaced: true, unref: true },
  })
  return {
    start: () => void loop.start(),
    close: () => loop.close(),
    look: loop.tickAnew,
  }

  /** Each by itself: what is wrong with one keeps none of the others from its turn. */
  async function lookAfter(): Promise<void> {
    for (const work of [expire, takeFindings, takeSelfTests, () => takeExams(deps, access), () => kept(keep)]) await tried(work)
  }

  async function tried(work: () => Promise<void>, hazard?: number): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.error({ err: error, hazard }, 'a hazard could not be looked after; it is tried again')
    }
  }

  async function expire(): Promise<void> {
    for (const row of await expireRisks(database, clock(), audited('hazard.expire'))) access.published(row)
  }

  async function takeFindings(): Promise<void> {
    for (const found of await findingsToTake(db))
      await tried(async () => {
        const place = { deviceId: found.device_id, lineId: found.line_id }
        await opened({
          ...{ ...place, projectId: found.project_id, gatewayId: found.gateway_id, key: found.key, level: found.priority },
          ...{ label: { zh: found.label_zh, en: found.label_en }, source: 'finding', sourceId: found.event_id },
          at: found.raised.getTime(),
        })
      })
  }

  /** Of a line that was never tested the health check tells, and no row of its own for each of ten thousand. */
  async function takeSelfTests(): Promise<void> {
    const lines = [...plant.lines.values()].filter((line) => line.selfTest !== null && isTestable(line))
    if (lines.length === 0) return
    const [plans, now] = [await detectionPlans(database), clock()]
    const observed = lines.flatMap((line) => selfTestHazard(line, plans.get(line.id), now) ?? [])
    if (observed.length === 0) return
    const known = await knownSelfTests(db)
    for (const each of observed) if (!known.has(`${each.lineId} ${each.key} ${each.sourceId}`)) await tried(() => opened(each))
  }

  async function opened(observed: ObservedHazard): Promise<void> {
    const hazardId = await db.transaction().execute(async (trx) => {
      const id = await openHazard(trx, observed)
      if (observed.source === 'finding' && observed.sourceId !== undefined) await joinOpenOrder(trx, id, observed.sourceId)
      return id
    })
    access.published({ hazard_id: hazardId, project_id: observed.projectId, gateway_id: observed.gatewayId })
  }

  async function keep(hazard: KeptHazard): Promise<void> {
    await tried(async () => {
      const lastSeen = await seenSince(db, hazard)
      if (hazard.is_ordered) return
      const now = clock()
      const row = { ...hazard, last_seen: lastSeen }
      const verification = await proof.verificationOfHazard(db, row, now)
      if (verification.state === 'verified') {
        if (await endHazard(database, row, now, audited('hazard.gone'))) access.published(row)
      } else if (hasMoved(hazard.verification, verification)) {
        await saveHazardProof(db, hazard, verification)
        access.published(row)
      }
    }, hazard.hazard_id)
  }

  function audited(action: 'hazard.expire' | 'hazard.gone') {
    return (row: HazardRow) => ({
      ...by(system, clock(), action, plant.projects.get(row.project_id)?.ownerId ?? null),
      ...{ subject: about('hazard', row.hazard_id), target: row.label_zh },
    })
  }
}

/** What the tests of a line show; null: it passed, and in time. */
function selfTestHazard(
  line: PlantLine,
  plan: { readonly enabled: boolean; readonly everyDays: number } | undefined,
  now: number,
): ObservedHazard | null {
  const last = line.selfTest
  if (!last) return null
  const { gateway } = line.device
  const place = { projectId: gateway.project.id, gatewayId: gateway.id, deviceId: null, lineId: line.id }
  if (last.result === 'failed')
    return {
      ...{ ...place, key: selfTestKeys.failed, level: 'high', source: 'selfTest', sourceId: String(last.at), at: last.at },
      label: { zh: '漏电自检不合格', en: 'RCD test failed' },
    }
  const { dueAt, overdue } = testDue(last, plan ?? { enabled: true, everyDays: selfTestEveryDays }, now)
  if (!overdue || dueAt === null) return null
  return {
    ...{ ...place, key: selfTestKeys.overdue, level: 'medium', source: 'selfTest', sourceId: String(dueAt), at: dueAt },
    label: { zh: '漏电自检逾期', en: 'RCD test overdue' },
  }
}
