import { useTranslation } from 'react-i18next'
import type { ListState } from '../../../ui/list-state.ts'
import type { LogAbout, LogChoice } from './log-filters.ts'
import { countOf, logChoices } from './log-filters.ts'
import { ModeMark } from './mode-mark.tsx'
import '../../../ui/strip.css'

/** How much of the stretch ended how, and how often one nearly fired; a press shows that alone. */
export function LogStrip({ about, choice, list }: { about: LogAbout; choice: LogChoice; list: ListState }) {
  const { t } = useTranslation('linkageLogTexts')
  return (
    <section className="strip" aria-label={t('which')}>
      {logChoices.map((each) => (
        <button
          type="button"
          key={each}
          aria-pressed={choice === each}
          onClick={() => list.setFilter('which', each === 'ran' || each === choice ? '' : each)}
        >
          <span className="state">
            {each === 'shadow' && <ModeMark mark="shadow" />}
            {t(`choices.${each}`)}
          </span>
          <b>{countOf(about, each)}</b>
        </button>
      ))}
    </section>
  )
}
