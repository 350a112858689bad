import type { RunsAbout } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../../ui/list-state.ts'
import type { StateChoice } from './filters.ts'
import { stateChoices } from './filters.ts'
import { lateText } from './run-reasons.ts'
import '../../../ui/strip.css'

/** How many runs ended how; a press shows those alone. */
export function RunStrip({ about, list, isOfTimers }: { about: RunsAbout; list: ListState; isOfTimers: boolean }) {
  const { t } = useTranslation('runLog')
  const count = (choice: StateChoice | null) =>
    about.States.reduce(
      (sum, { State, Count }) => sum + (choice === null || stateChoices[choice].some((each) => each === State) ? Count : 0),
      0,
    )
  const chosen = list.filter('state')
  const part = (choice: StateChoice | null, name: string) => (
    <button
      key={name}
      type="button"
      aria-pressed={choice === null ? chosen === '' : chosen === choice}
      onClick={() => list.setFilter('state', choice === null || chosen === choice ? '' : choice)}
    >
      <span className="state">{name}</span>
      <b>{count(choice)}</b>
    </button>
  )
  return (
    <section className="strip run-strip" aria-label={t('which')}>
      {part(null, t('all'))}
      {(Object.keys(stateChoices) as StateChoice[]).map((choice) => part(choice, t(`choices.${choice}`)))}
      <div>
        <span className="state">{t('leftOut')}</span>
        <b>{about.LeftOut}</b>
      </div>
      {isOfTimers && (
        <>
          <div>
            <span className="state">{t('maxLate')}</span>
            <b>{about.MaxLateMs === null ? '–' : lateText(about.MaxLateMs)}</b>
          </div>
          <div className={about.Overdue > 0 ? 'odd' : undefined}>
            <span className="state">{t('overdue')}</span>
            <b>{about.Overdue}</b>
          </div>
        </>
      )}
    </section>
  )
}
