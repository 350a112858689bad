import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useNarrow } from '../../ui/use-media.ts'

export type View = 'table' | 'cards'

/** Table or cards, held by the address; unless somebody chose, a phone has cards and everything else the table. */
export function useView(): [View, (to: View) => void] {
  const [query, setQuery] = useSearchParams()
  const usual: View = useNarrow() ? 'cards' : 'table'
  const asked = query.get('view')
  const view = asked === 'table' || asked === 'cards' ? asked : usual
  const choose = (to: View) =>
    setQuery(
      (before) => {
        if (to === usual) before.delete('view')
        else before.set('view', to)
        return before
      },
      { replace: true },
    )
  return [view, choose]
}

const shapes: Readonly<Record<View, string>> = {
  table: 'M2 3h12v10H2zM2 6.300h12M2 9.600h12M6 3v10',
  cards: 'M2 2.500h5v5H2zM9 2.500h5v5H9zM2 9.500h5v4H2zM9 9.500h5v4H9z',
}

/** The switch between both. */
export function ViewSwitch({ view, onView }: { view: View; onView: (to: View) => void }) {
  const { t } = useTranslation('monitor')
  return (
    <div className="segments" role="group" aria-label={t('viewAs')}>
      {(['table', 'cards'] as const).map((each) => (
        <button
          type="button"
          key={each}
          aria-pressed={each === view}
          aria-label={t(each)}
          title={t(each)}
          onClick={() => onView(each)}
        >
          <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
            <path d={shapes[each]} />
          </svg>
        </button>
      ))}
    </div>
  )
}
