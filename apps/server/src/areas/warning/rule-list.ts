import type { WarningRule } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { RuleInForce, WarningDetector } from '@linewarden/rules/warning'
import { appliesTo, noisyDays, ruleDetector, ruleInForce } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { findingsByKey } from '../../store/warning/finding.ts'
import type { KeptRule, RulePlaceOfKey } from '../../store/warning/rule.ts'
import { keptRulesAt } from '../../store/warning/rule.ts'
import type { WarningDeps } from './deps.ts'
import { ruleRecord } from './rule-record.ts'

/** A project, or where only the default is meant `projectId` null; and whose it is. */
export type Place = Pick<RulePlaceOfKey, 'projectId' | 'ownerId'>

export const placeOf = (actor: Actor, project: PlantProject | null): Place =>
  project ? { projectId: project.id, ownerId: project.ownerId } : { projectId: null, ownerId: actor.tenant }

export function detectorOf(key: string): WarningDetector {
  const detector = ruleDetector(key)
  if (!detector) throw new Refusal('warning rule not exists', { key })
  return detector
}

/** What a rule would be that is given up at a place. */
export const aboveOf = (detector: WarningDetector, { projectId, ownerId }: Place, stored: readonly KeptRule[]): RuleInForce =>
  ruleInForce(detector, { projectId: null, ownerId }, projectId === null ? [] : stored)

/** The rules at a place, with the lines that they are for and what they raised. */
export function createRuleList({ database, plant, clock }: WarningDeps) {
  return { records, inForceAt, linesOf }

  async function records(
    actor: Actor,
    place: Place,
    kept: readonly KeptRule[],
    detectors: readonly WarningDetector[],
  ): Promise<WarningRule[]> {
    const stored = kept.filter(({ inForce }) => inForce)
    // Of a default whoever sees a part of the tenant counts that part.
    const lines = linesOf(place).filter(({ device }) => actor.seesGateway(device.gateway))
    const projects = [...new Set(lines.map(({ device }) => device.gateway.project.id))]
    const since = new Date(clock() - noisyDays * dayMs)
    const findings = await withRowSecurity(database, actor.scope, (db) => findingsByKey(db, projects, since))
    return detectors.map((detector) => {
      const rule = ruleInForce(detector, place, stored)
      return ruleRecord(detector, {
        projectId: place.projectId,
        rule,
        above: aboveOf(detector, place, stored),
        kept: kept.find((each) => each.key === detector.key && each.projectId === place.projectId),
        lines: lines.filter(({ id, device }) => appliesTo(rule, { lineId: id, family: device.family.key })).length,
        findings: findings.get(detector.key) ?? 0,
      })
    })
  }

  async function inForceAt(place: Place): Promise<readonly KeptRule[]> {
    return (await keptRulesAt(database, place)).filter(({ inForce }) => inForce)
  }

  /** Of a project its own; of a default those of all the projects of the tenant. */
  function linesOf({ projectId, ownerId }: Place): PlantLine[] {
    return [...plant.lines.values()].filter(({ device }) => {
      const { project } = device.gateway
      return projectId === null ? project.ownerId === ownerId : project.id === projectId
    })
  }
}
