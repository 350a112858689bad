import { queryInspectionPlans, queryRounds } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { usePlaceName } from '../../plant/place-name.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Segments } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import type { InspectionAddress } from './address.ts'
import { useInspectionAddress, views } from './address.ts'
import { CodePage } from './code-page.tsx'
import { DueCalendar } from './due-calendar.tsx'
import { filterNames, placeOf, sortable } from './filters.ts'
import { LabelsView } from './labels-view.tsx'
import { OnlineDialog } from './online-dialog.tsx'
import { PlanForm } from './plan-form.tsx'
import { PlanList } from './plan-list.tsx'
import { RoundDrawer } from './round-drawer.tsx'
import { RoundSheetPage } from './round-sheet.tsx'
import { RoundsView } from './rounds-view.tsx'
import { StatesStrip } from './states-strip.tsx'
import { inspection } from './texts.ts'
import '../../ui/list.css'
import '../../ui/strip.css'
import './inspection.css'

addTexts({ inspection })

const everyMs = 30_000
/** Plans of a place are few: they are shown at once. */
const maxPlans = 200

/** Which rounds are due, who walks them and what they found. What is shown stands in the address. */
export function InspectionPage() {
  const address = useInspectionAddress()
  if (address.code !== '') return <CodePage code={address.code} />
  if (address.isSheet && address.roundId)
    return <RoundSheetPage roundId={address.roundId} onBack={() => address.showSheet(false)} />
  return <Inspection address={address} />
}

function Inspection({ address }: { address: InspectionAddress }) {
  const { t } = useTranslation(['inspection', 'app'])
  const [selection] = useSelection()
  const place = placeOf(selection)
  const list = useListState(filterNames, sortable)
  const plans = useCall(
    queryInspectionPlans,
    { body: { ...place, Size: maxPlans } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  // How many there are of each state, whatever filters the list of rounds has.
  const counts = useCall(
    queryRounds,
    { body: { ...place, Size: 1 } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const [known, states] = [useShown(plans), useShown(counts)?.about.States]
  const placeName = usePlaceName()
  const isNarrow = useNarrow()
  const mayEdit = useMayEdit()
  const reason = mayEdit ? null : t('readOnly')
  const { view, roundId, written } = address
  return (
    <Page
      title={t('title')}
      crumb={[placeName ?? t('allProjects'), ...(known ? [t('planCount', { count: known.total })] : [])].join(' · ')}
      tools={
        <>
          {!isNarrow && <ViewChoice address={address} />}
          {!isNarrow && (
            <ReasonedButton className="btn" reason={reason} onClick={() => address.write('online')}>
              {t('online')}
            </ReasonedButton>
          )}
          {isNarrow ? (
            <Link className="btn primary" to={paths.phoneRounds}>
              {t('toPhone')}
            </Link>
          ) : (
            <ReasonedButton className="btn primary" reason={reason} onClick={() => address.write('plan')}>
              <Icon name="plus" />
              {t('addPlan')}
            </ReasonedButton>
          )}
        </>
      }
    >
      {isNarrow && (
        <div className="inspection-narrow">
          <ViewChoice address={address} />
        </div>
      )}
      {states && view !== 'labels' && <StatesStrip states={states} list={list} address={address} />}
      <div className={roundId ? 'list-body inspection-body detailed' : 'list-body inspection-body'}>
        {view === 'rounds' && <RoundsView list={list} address={address} />}
        {view === 'labels' && <LabelsView />}
        {view === 'plans' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <div className="list-scroll" tabIndex={0} aria-busy={plans.isFetching}>
            <Unloaded query={plans} />
            {known?.total === 0 && (
              <Empty
                title={t('none')}
                hint={t('noneHint')}
                {...(mayEdit && { action: { label: t('fromTemplate'), run: () => address.write('plan') } })}
              />
            )}
            {known && known.total > 0 && <PlanList plans={known.items} address={address} />}
            {known && known.total > 0 && <DueCalendar place={place} plans={known.items} address={address} />}
          </div>
        )}
      </div>
      {roundId && <RoundDrawer key={roundId} roundId={roundId} address={address} />}
      {written === 'online' && mayEdit && <OnlineDialog onStarted={address.show} onClose={() => address.write(null)} />}
      {written !== null && written !== 'online' && mayEdit && (
        <PlanForm key={written} planId={written === 'plan' ? null : Number(written)} onClose={() => address.write(null)} />
      )}
    </Page>
  )
}

function ViewChoice({ address }: { address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  return (
    <Segments
      label={t('shown')}
      value={address.view}
      options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
      onChange={address.setView}
    />
  )
}
