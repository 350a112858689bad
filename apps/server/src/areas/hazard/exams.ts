import { hazardOfDeduction, hazardPoints } from '@linewarden/rules/hazard'
import { takeExam } from '../../store/hazard/exams.ts'
import type { HazardRow } from '../../store/hazard/hazard.ts'
import { openHazard } from '../../store/hazard/hazard.ts'
import { examSource } from '../../store/hazard/looks.ts'
import type { HazardDeps } from './deps.ts'
import type { HazardAccess } from './hazard-access.ts'

type Place = Pick<HazardRow, 'hazard_id' | 'project_id' | 'gateway_id'>

/** What health checks took eight points and more for. */
export async function takeExams(
  { database, clock, log }: Pick<HazardDeps, 'database' | 'clock' | 'log'>,
  { published }: Pick<HazardAccess, 'published'>,
): Promise<void> {
  for (;;) {
    const exam = await takeExam(database, { least: hazardPoints, now: clock() }, takeDeductions)
    if (!exam) return
    for (const place of exam.taken) published(place)
    if (exam.newFailure !== null)
      log.error(
        { err: exam.newFailure, check: exam.testId },
        'what a health check found of a line could not become a hazard; it is tried again',
      )
  }
}

/** Opens what a check took its points for. */
const takeDeductions: Parameters<typeof takeExam<Place>>[2] = async (trx, { testId, at }, found) => {
  const touched: Place[] = []
  for (const { project_id, gateway_id, line_id, key: item, deduct, text } of found) {
    const hazard = hazardOfDeduction({ key: item, deduct })
    if (!hazard) continue
    const hazardId = await openHazard(trx, {
      ...{ projectId: project_id, gatewayId: gateway_id, deviceId: null, lineId: line_id, ...hazard },
      ...{ label: text, source: 'exam', sourceId: examSource(testId, item), at },
    })
    touched.push({ hazard_id: hazardId, project_id, gateway_id })
  }
  return touched
}
