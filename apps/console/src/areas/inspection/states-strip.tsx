import type { queryRounds, Reply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../ui/list-state.ts'
import type { InspectionAddress } from './address.ts'
import { RoundMark } from './state-mark.tsx'

/** What waits for somebody; what is over is found in the list. */
const shown = ['started', 'planned', 'finished', 'returned', 'lapsed'] as const

/** How many rounds wait for whom. Only what has lapsed has colour: it opened a hazard. */
export function StatesStrip({
  states,
  list,
  address,
}: {
  states: Reply<typeof queryRounds>['about']['States']
  list: ListState
  address: InspectionAddress
}) {
  const { t } = useTranslation('inspection')
  return (
    <div className="strip">
      {shown.map((state) => {
        const isOn = address.view === 'rounds' && list.filter('state') === state
        return (
          <button
            type="button"
            key={state}
            className={state === 'lapsed' && states[state] > 0 ? 'round-late' : undefined}
            aria-pressed={isOn}
            onClick={() => address.showState(isOn ? '' : state)}
          >
            <span className="state">
              {state === 'lapsed' && states[state] > 0 && <RoundMark state={state} />}
              {t(`states.${state}`)}
            </span>
            <b>{states[state]}</b>
          </button>
        )
      })}
    </div>
  )
}
