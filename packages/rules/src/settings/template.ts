import type { Family, Setting } from '@linewarden/equipment'
import type { SettingFault } from './settings.ts'
import { settingFault, settingRange } from './settings.ts'

/** One of the ranges a setting has over the models of a family. `max` is null where it is a multiple of a rated current that only a line has. */
export interface TemplateRange {
  readonly min: number
  readonly max: number | null
}

/** A template is for a family, and its models may have ranges that do not even touch: 240 to 300 V, and 58 to 60 V. Ascending. */
export function templateRanges(family: Family, setting: Setting): readonly TemplateRange[] {
  const ranges = modelsOf(family)
    .map((model) => settingRange(setting, model, null))
    .flatMap(({ min, max }) => (min === null ? [] : [{ min, max }]))
    .sort((a, b) => a.min - b.min)
  const merged: TemplateRange[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (!last || (last.max !== null && range.min > last.max)) merged.push(range)
    else merged[merged.length - 1] = { min: last.min, max: furthest(last.max, range.max) }
  }
  return merged
}

/**
 * What is wrong with a value in a template; null when there is a model of the family that may have it. What is a multiple of the rated current
 * is validated against each line when the template is applied.
 */
export function templateFault(family: Family, setting: Setting, value: number): SettingFault | null {
  const faults = modelsOf(family).map((model) => settingFault(setting, value, model, Number.POSITIVE_INFINITY))
  // The end of such a range, 75.6 A of 63 A, need not lie on a step.
  const anyStep = typeof setting.max !== 'number'
  if (faults.some((fault) => fault === null || (fault === 'off_step' && anyStep))) return null
  return faults.find((fault) => fault === 'off_step') ?? faults[0] ?? null
}

const modelsOf = ({ models }: Family): readonly string[] => (models.length > 0 ? models : [''])

const furthest = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.max(a, b))
