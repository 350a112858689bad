import { orderProblems } from '@linewarden/rules/workorder'
import { useTranslation } from 'react-i18next'

interface Written {
  readonly Description: string
  readonly ValidDays: string
  readonly ReminderDays: string
}

/** What is wrong with an order that is written, by the server's own rules. */
export function useOrderRules() {
  const { t } = useTranslation('workOrders')
  return ({ Description, ValidDays, ReminderDays }: Written) => {
    const problems = orderProblems({
      ...{ description: Description, personInCharge: '-' },
      ...{ validDays: figureOf(ValidDays), reminderDays: figureOf(ReminderDays) },
    })
    const wrongDays = (field: 'ValidDays' | 'ReminderDays') => {
      const problem = problems.find((each) => each.field === field)
      return problem?.key === 'order days wrong' ? t('daysWrong', { from: problem.from, to: problem.to }) : null
    }
    return {
      Description: problems.some(({ field }) => field === 'Description') ? t('descriptionMissing') : null,
      ValidDays: wrongDays('ValidDays'),
      ReminderDays: wrongDays('ReminderDays'),
    }
  }
}

/** What is no figure is none that fits. */
const figureOf = (text: string): number => (/^\d{1,3}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)
