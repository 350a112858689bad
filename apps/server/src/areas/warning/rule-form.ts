import type { Problem, WarningRuleValues } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import type { RuleTargets, RuleValues, WarningDetector } from '@linewarden/rules/warning'
import { isMeasured, parameterRefusals } from '@linewarden/rules/warning'

/**
 * A rule as its form sends it. What is wrong with its figures and targets is refused at once, all of it. `isOfPlace`: whether a line is one
 * that the rule may name.
 */
export function ruleValuesOf(
  detector: WarningDetector,
  form: WarningRuleValues,
  isOfPlace: (lineId: number) => boolean,
): RuleValues {
  const params = Object.fromEntries(form.Params.map(({ Name, Value }) => [Name, Value]))
  const fields = parameterRefusals(detector, params)
  const problems = fields.map(({ field, from, to }): Problem => {
    const label = detector.parameters[field]?.label
    const unit = detector.parameters[field]?.unit
    const range = `${from}–${to}${unit ? ` ${unit}` : ''}`
    return {
      Path: `body.Params.${field}`,
      Text: label
        ? { zh: `${label.zh}应为 ${range}`, en: `${label.en} must be ${range}` }
        : { zh: `没有参数 ${field}`, en: `There is no figure ${field}` },
    }
  })
  if (new Set(form.Params.map(({ Name }) => Name)).size < form.Params.length)
    problems.push({ Path: 'body.Params', Text: { zh: '同一参数出现两次', en: 'A figure is given twice' } })
  if (problems.length > 0) throw new Refusal('rule out of range', { fields }, problems)
  if (form.Enabled && !isMeasured(detector.key)) throw new Refusal('rule not measurable')
  return {
    enabled: form.Enabled,
    params,
    priority: form.Priority,
    targets: targetsOf(form.Targets, isOfPlace),
    except: linesOf(form.Except, 'Except', isOfPlace),
  }
}

function targetsOf({ Kind, Families, LineIDs }: WarningRuleValues['Targets'], isOfPlace: (id: number) => boolean): RuleTargets {
  if (Kind === 'all') return { kind: 'all' }
  if (Kind === 'lines') return { kind: 'lines', lineIds: linesOf(LineIDs, 'Targets.LineIDs', isOfPlace) }
  const unknown = Families.filter((key) => familyOf(key) === null)
  if (unknown.length > 0)
    throw new Refusal('invalid parameter', {}, [
      {
        Path: 'body.Targets.Families',
        Text: { zh: `没有设备类型 ${unknown.join('、')}`, en: `There is no equipment family ${unknown.join(', ')}` },
      },
    ])
  return { kind: 'families', families: [...Families].sort() }
}

function linesOf(lineIds: readonly number[], field: string, isOfPlace: (id: number) => boolean): readonly number[] {
  if (!lineIds.every(isOfPlace))
    throw new Refusal('invalid parameter', {}, [
      { Path: `body.${field}`, Text: { zh: '有线路不属于该规则的范围', en: 'A line is none of those that this rule is for' } },
    ])
  return [...lineIds].sort((one, other) => one - other)
}
