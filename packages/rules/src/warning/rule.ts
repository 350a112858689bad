import type { Priority } from '@linewarden/equipment'
import { detectors } from './catalogue.ts'
import type { WarningDetector } from './detector.ts'
import { harmonic } from './harmonic.ts'

/** Where a rule is set. The first of these that there is for a line is in force. */
export const ruleOrigins = ['project', 'default', 'builtIn'] as const
export type RuleOrigin = (typeof ruleOrigins)[number]

/** To which lines a rule is applied. */
export const targetKinds = ['all', 'families', 'lines'] as const
export type RuleTargets =
  | { readonly kind: 'all' }
  | { readonly kind: 'families'; readonly families: readonly string[] }
  | { readonly kind: 'lines'; readonly lineIds: readonly number[] }

/** What people set of a rule. A figure that is missing is that of the level above. */
export interface RuleValues {
  readonly enabled: boolean
  readonly params: Readonly<Record<string, number>>
  readonly priority: Priority
  readonly targets: RuleTargets
  readonly except: readonly number[]
}

/** A rule as somebody set it: for a project, or as the default of a tenant (`projectId` null; `ownerId` null: the installation's own). */
export interface StoredRule extends RuleValues {
  readonly ruleId: number
  readonly projectId: number | null
  readonly ownerId: string | null
  readonly key: string
  readonly version: number
}

/** A rule as it is applied, with all of its figures. */
export interface RuleInForce extends RuleValues {
  readonly key: string
  readonly origin: RuleOrigin
  /** Null: built in. */
  readonly ruleId: number | null
  /** 0: built in. */
  readonly version: number
}

/** What no family of equipment measures: listed, so that nobody thinks it is watched, and never switched on. */
const notMeasured: readonly WarningDetector[] = [harmonic]

/** Everything that there is a rule for. */
export const ruleCatalogue: readonly WarningDetector[] = [...detectors, ...notMeasured]

export const ruleDetector = (key: string): WarningDetector | undefined => ruleCatalogue.find((each) => each.key === key)

export const isMeasured = (key: string): boolean => !notMeasured.some((each) => each.key === key)

/** The rule that is there before anybody sets one: all lines, as the standards and our measurements have it. */
export const builtInRule = (detector: WarningDetector): RuleInForce => ({
  key: detector.key,
  origin: 'builtIn',
  ruleId: null,
  version: 0,
  enabled: isMeasured(detector.key),
  params: Object.fromEntries(Object.entries(detector.parameters).map(([name, each]) => [name, each.default])),
  priority: detector.priority,
  targets: { kind: 'all' },
  except: [],
})

/** Whose rules are in force for a project, and where only the default is asked for `projectId` null. */
export interface RulePlace {
  readonly projectId: number | null
  readonly ownerId: string | null
}

/**
 * The rule of a detector in force at a place: the project's, else the default of its tenant, else the built-in one. A figure that the rule
 * does not name, as one that a later version added, comes from the next level; one that the detector does not know falls away, and one
 * that its range no longer holds is brought back into it.
 */
export function ruleInForce(detector: WarningDetector, place: RulePlace, stored: readonly StoredRule[]): RuleInForce {
  const builtIn = builtInRule(detector)
  const own = stored.filter(({ key }) => key === detector.key)
  const levels: readonly (readonly [RuleOrigin, StoredRule | undefined])[] = [
    ['default', own.find((each) => each.projectId === null && each.ownerId === place.ownerId)],
    ['project', own.find((each) => each.projectId !== null && each.projectId === place.projectId)],
  ]
  return levels.reduce<RuleInForce>(
    (above, [origin, rule]) => (rule ? { ...appliedOver(above, rule, detector), origin } : above),
    builtIn,
  )
}

const appliedOver = (
  above: RuleInForce,
  rule: StoredRule,
  { key, parameters }: WarningDetector,
): Omit<RuleInForce, 'origin'> => ({
  key,
  ruleId: rule.ruleId,
  version: rule.version,
  enabled: rule.enabled && isMeasured(key),
  params: Object.fromEntries(
    Object.entries(parameters).map(([name, { min, max }]) => [
      name,
      Math.min(max, Math.max(min, rule.params[name] ?? above.params[name] ?? min)),
    ]),
  ),
  priority: rule.priority,
  targets: rule.targets,
  except: rule.except,
})

/** What a rule chooses: a line, a device as a whole (`lineId` null), or a gateway (both null). */
export interface RuleSubject {
  readonly lineId: number | null
  readonly family: string | null
}

/** Whether something is a target of a rule, whether or not that is switched on. */
export function appliesTo({ targets, except }: Pick<RuleValues, 'targets' | 'except'>, { lineId, family }: RuleSubject): boolean {
  if (lineId !== null && except.includes(lineId)) return false
  if (targets.kind === 'families') return family !== null && targets.families.includes(family)
  return targets.kind === 'all' || (lineId !== null && targets.lineIds.includes(lineId))
}

/** Findings of 30 days for each line from which on a rule is noisy. */
const noisyPerLine = 0.1
export const noisyDays = 30

/** How many findings of so many days make a rule of so many lines noisy: more than this. */
export const noisyAbove = (lines: number, days: number = noisyDays): number => (noisyPerLine * lines * days) / noisyDays
