import type { InspectionPlan } from '@linewarden/contract'
import { roundStates } from '@linewarden/rules/inspection'
import { useTranslation } from 'react-i18next'
import { useMayEdit } from '../../app/session/use-may.ts'
import { serverNow } from '../../ui/use-now.ts'
import type { InspectionAddress } from './address.ts'
import { dayHere, dayText } from './days.ts'
import { cycleText, shortDay, windowText } from './plan-words.ts'
import { RoundStateMark } from './state-mark.tsx'

/** Plans with what stands now: the newest round of each, and the day that comes next. */
export function PlanList({ plans, address }: { plans: readonly InspectionPlan[]; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  return (
    <table className="list-table plan-list" aria-label={t('views.plans')}>
      <thead>
        <tr>
          <th>{t('planAndScope')}</th>
          <th>{t('kind')}</th>
          <th className="alone">{t('cycle')}</th>
          <th className="alone">{t('inspector')}</th>
          <th>{t('newest')}</th>
          <th className="end">{t('nextDue')}</th>
        </tr>
      </thead>
      <tbody>
        {plans.map((plan) => (
          <Row key={plan.PlanID} plan={plan} address={address} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ plan, address }: { plan: InspectionPlan; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  const mayEdit = useMayEdit()
  const state = roundStates.find((each) => each === plan.Last?.State)
  const today = dayText(dayHere(serverNow()))
  return (
    <tr className={state === 'lapsed' ? 'late' : undefined}>
      <td>
        <span className="two-lines">
          {mayEdit ? (
            <button type="button" onClick={() => address.write(String(plan.PlanID))}>
              <b>{plan.Name}</b>
            </button>
          ) : (
            <b>{plan.Name}</b>
          )}
          <small>{plan.HouseName}</small>
        </span>
      </td>
      <td>
        <span className="two-lines">
          <span>{t(`kinds.${plan.Kind}`)}</span>
          <small>{t('stopCount', { count: plan.Stops.length })}</small>
        </span>
      </td>
      <td className="alone">
        <span className="two-lines">
          <span>{cycleText(t, plan)}</span>
          <small>{windowText(t, plan)}</small>
        </span>
      </td>
      <td className="alone people">{plan.Assignees.map(({ Name }) => Name).join(t('and')) || t('anybody')}</td>
      <td>
        {plan.Last && state ? (
          <button type="button" className="round-open" onClick={() => address.show(plan.Last?.RoundID ?? null)}>
            <RoundStateMark state={state} />
          </button>
        ) : (
          <span className="mute">{t('noRound')}</span>
        )}
      </td>
      <td className="end">
        <span className="narrow-only mute">{`${t('nextDue')} `}</span>
        {plan.NextDue === null ? t(plan.Enabled ? 'afterCompletion' : 'disabled') : shortDay(plan.NextDue, today)}
      </td>
    </tr>
  )
}
