import type { queryWarnings, Reply } from '@linewarden/contract'
import type { WarningLevel } from '@linewarden/rules/warning'
import { warningLevels } from '@linewarden/rules/warning'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'
import type { ListState } from '../../ui/list-state.ts'
import { Mark } from '../../ui/mark.tsx'
import { counted } from './amount.ts'

export type About = Reply<typeof queryWarnings>['about']

/** How many of each level, how many nobody has seen, and of how many lines anything can be said at all: that last is always there. */
export function WarningsStrip({ about, list }: { about: About; list: ListState }) {
  const { t } = useTranslation('warning')
  const counts: Readonly<Record<WarningLevel, number>> = { alarm: about.Alarm, warning: about.Warning, notice: about.Notice }
  const level = list.filter('level')
  const ack = list.filter('ack')
  return (
    <div className="strip warnings-strip">
      {warningLevels.toReversed().map((each) => (
        <button
          type="button"
          key={each}
          className={each === 'alarm' && counts.alarm > 0 ? 'hot' : undefined}
          aria-pressed={level === each}
          onClick={() => list.setFilter('level', level === each ? '' : each)}
        >
          <span className="state">
            <Mark kind={each === 'alarm' ? 'alarm' : 'warning'} size={12} />
            {t(`levels.${each}`)}
          </span>
          <b>{counted(counts[each])}</b>
        </button>
      ))}
      <button type="button" aria-pressed={ack === 'no'} onClick={() => list.setFilter('ack', ack === 'no' ? '' : 'no')}>
        <span className="state">{t('unacknowledged')}</span>
        <b>
          {counted(about.Unacknowledged)}
          {about.Shelved > 0 && <span className="unit">{t('shelvedCount', { count: about.Shelved })}</span>}
        </b>
      </button>
      <div className="coverage">
        <div>
          <span className="mute">
            {about.EvaluatedAt === null ? t('neverEvaluated') : t('evaluatedAt', { time: clockMinute(about.EvaluatedAt) })}
          </span>
          <span>
            <b>{t('evaluated', { number: counted(about.Evaluated) })}</b>{' '}
            <span className="mute">{t('notEvaluated', { number: counted(notEvaluatedLines(about)) })}</span>
          </span>
        </div>
        {about.NotEvaluated.length > 0 && (
          <div className="reasons">
            <span className="mute">{t('notEvaluatedWhy')}</span>
            <NotEvaluated about={about} />
          </div>
        )}
      </div>
    </div>
  )
}

export const notEvaluatedLines = ({ Lines, Evaluated }: Pick<About, 'Lines' | 'Evaluated'>): number =>
  Math.max(0, Lines - Evaluated)

/** Why nothing can be said of some lines, most of them first. */
export function NotEvaluated({ about }: { about: Pick<About, 'NotEvaluated'> }) {
  const { t } = useTranslation('warning')
  return (
    <span className="not-evaluated">
      {about.NotEvaluated.map(({ Reason, Lines }) => (
        <span key={Reason}>
          {t(`notEvaluatedReasons.${Reason}`)} <b>{counted(Lines)}</b>
        </span>
      ))}
    </span>
  )
}
