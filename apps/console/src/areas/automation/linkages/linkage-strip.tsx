import type { queryLinkages, Reply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../../ui/list-state.ts'
import { ModeMark } from './mode-mark.tsx'

export type About = Reply<typeof queryLinkages>['about']

const shown = ['live', 'shadow', 'halted', 'blind', 'disabled'] as const

/** How many stand how; a press shows them alone. */
export function LinkageStrip({ about, list }: { about: About; list: ListState }) {
  const { t } = useTranslation('linkages')
  const counts = Object.fromEntries(about.Marks.map(({ Mark, Count }) => [Mark, Count]))
  const total = about.Marks.reduce((sum, { Count }) => sum + Count, 0)
  const mark = list.filter('mark')
  return (
    <div className="strip linkages-strip">
      {shown.map((each) => (
        <button
          type="button"
          key={each}
          className={each === 'halted' && (counts[each] ?? 0) > 0 ? 'odd' : undefined}
          aria-pressed={mark === each}
          onClick={() => list.setFilter('mark', mark === each ? '' : each)}
        >
          <span className="state">
            <ModeMark mark={each} />
            {t(`marks.${each}`)}
          </span>
          <b>
            {counts[each] ?? 0}
            {each === 'live' && <span className="unit">{t('ofAll', { count: total })}</span>}
          </b>
        </button>
      ))}
    </div>
  )
}
