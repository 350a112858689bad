import type { Text } from '@linewarden/equipment'
import type { StatementProblem } from '@linewarden/rules/energy'
import { textOf } from '../../core/messages.ts'
import { tariffName } from './tariff-rules.ts'

/** Why a row of a bill is not known, and what to do about it. */
const gapTexts: Readonly<Record<Extract<StatementProblem, { problem: 'row' }>['gap'], Text>> = {
  demand: { zh: '没有可计需量的时刻', en: 'No quarter of an hour makes a demand' },
  declared: { zh: '请在供电点填写申报需量', en: 'Enter the declared demand of the supply' },
  capacity: { zh: '请在供电点填写受电容量', en: 'Enter the capacity of the supply' },
  powerFactor: { zh: '请在“用电统计 › 费用”的账单中录入功率因数', en: 'Type it from the bill: Consumption, tab Cost' },
  period: {
    zh: '该项按月收取，而电价或供电点只覆盖周期的一部分',
    en: 'It is charged by the month, and a version or the supply covers only a part of the period',
  },
  others: { zh: '所依据的项目未知', en: 'What it is of is not known' },
}

/** What a problem is said with. */
export interface ProblemNames {
  lineOf(lineId: number): string
  /** An instant by the clock of the project, `10-14 02:15`. */
  clockOf(at: number): string
}

/** What stands against issuing a statement, as a person reads it. */
export function statementProblemText(problem: StatementProblem, names: ProblemNames): Text {
  switch (problem.problem) {
    case 'open':
      return textOf('statement open')
    case 'notSupplied':
      return textOf('statement not supplied')
    case 'currencies':
      return textOf('statement currencies')
    case 'noTariff':
      return textOf('statement without tariff')
    case 'datesUnpriced':
      return textOf('statement dates unpriced', { from: problem.from, to: problem.to })
    case 'unpriced':
      return textOf('statement unpriced', { count: problem.quarters })
    case 'nothingKnown':
      return textOf('statement line without data', { line: names.lineOf(problem.lineId) })
    case 'lineUnknown':
      return textOf('statement line unknown', {
        ...{
          line: names.lineOf(problem.lineId),
          known: (Math.floor(problem.known / 10) / 10).toFixed(1),
          why: whyUnknown(problem, names),
        },
      })
    case 'supplyUnknown':
      return textOf('statement supply unknown', { count: problem.quarters })
    case 'demandUncertain':
      return textOf('statement demand uncertain', { count: problem.quarters })
    case 'row': {
      const row = problem.key === 'powerFactor' ? { zh: '力调电费', en: 'Power-factor adjustment' } : tariffName(problem.key)
      return textOf('statement row unknown', { row, why: gapTexts[problem.gap] })
    }
  }
}

function whyUnknown(
  { missing, across, estimated, first }: Extract<StatementProblem, { problem: 'lineUnknown' }>,
  { clockOf }: ProblemNames,
): Text {
  const parts: Text[] = []
  if (missing > 0) {
    const from = first ? { zh: `，自 ${clockOf(first.from)} 起`, en: ` from ${clockOf(first.from)} on` } : { zh: '', en: '' }
    parts.push({ zh: `缺 ${missing} 刻${from.zh}`, en: `${missing} quarters of an hour are missing${from.en}` })
  }
  if (across > 0) parts.push({ zh: `跨时段摊分 ${across} 刻`, en: `${across} are spread over several bands` })
  if (estimated > 0) parts.push({ zh: `估算 ${estimated} 刻`, en: `${estimated} are estimated` })
  return { zh: parts.map(({ zh }) => zh).join('；'), en: parts.map(({ en }) => en).join('; ') }
}
