import type { Reclosure } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { ReclosureRule } from '@linewarden/rules/control'
import { notReclosing, reclosureDelaysS, reclosurePolicy } from '@linewarden/rules/control'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredReclosure } from '../../store/control/reclosure.ts'

const leakageTrip = 'leakage.trip'

/**
 * Which rules a line keeps or breaks. One that did not report at which residual current it trips may be one that protects people: no default
 * stands in for the report, nor what it reported before an order of which nobody knows what became (`unconfirmed`).
 */
function policyOf(line: PlantLine, delaysS: readonly number[], unconfirmed: ReadonlySet<string>): readonly ReclosureRule[] {
  const { family } = line.device
  const trips = family.settings.some(({ key }) => key === leakageTrip)
  const residualMa = unconfirmed.has(leakageTrip) ? null : (line.reported.get(leakageTrip) ?? null)
  return reclosurePolicy(delaysS, {
    switches: family.actions.some(({ key }) => key === 'close'),
    residualMa: trips ? residualMa : 'absent',
  })
}

export const brokenRules = (...given: Parameters<typeof policyOf>): readonly ReclosureRule[] =>
  policyOf(...given).filter(({ met }) => !met)

export function notPermitted(broken: readonly ReclosureRule[]): Refusal {
  const why = {
    zh: broken.map(({ what, why: text }) => (text ?? what).zh).join('；'),
    en: broken.map(({ what, why: text }) => (text ?? what).en).join('; '),
  }
  return new Refusal('reclosure not permitted', { why })
}

export function reclosureRecord(
  line: PlantLine,
  setting: StoredReclosure | undefined,
  unconfirmed: ReadonlySet<string>,
): Reclosure {
  const state = setting?.state ?? notReclosing
  const delaysS = setting?.delaysS ?? reclosureDelaysS
  return {
    Enabled: setting?.enabled ?? false,
    DelaysS: [...delaysS],
    Version: setting?.version ?? 0,
    Actor: setting?.actor ?? null,
    Attempts: state.attempts,
    NextAt: state.nextAt,
    LockedOutAt: state.lockedOutAt,
    LockedOutWhy: state.lockedOutWhy,
    Policy: policyOf(line, delaysS, unconfirmed).map(({ key, met, what, why }) => ({
      Key: key,
      Met: met,
      What: { ...what },
      Why: why && { ...why },
    })),
  }
}
