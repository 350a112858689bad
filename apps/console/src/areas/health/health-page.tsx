import type { HealthCheck, Project } from '@linewarden/contract'
import { maxHealthCheckLines, queryHealthChecks, startHealthCheck } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { ByProject } from '../../plant/by-project.tsx'
import type { Selection } from '../../plant/equipment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { dayTime } from '../../ui/format.ts'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { CheckBody } from './check-body.tsx'
import { CheckSheet } from './check-sheet.tsx'
import { ExportCheck } from './export-check.tsx'
import { RunningCheck } from './running-check.tsx'
import { healthCheck } from './texts.ts'
import { useHealthAddress } from './use-health-address.ts'
import { whyNothing } from './words.ts'
import '../../ui/list.css'
import '../../ui/query-table.css'
import '../../ui/strip.css'
import './health.css'

addTexts({ healthCheck })

/** So often a check that goes on is asked for. */
const everyMs = 1_000
const maxListed = 50

/** How safe is each line, out of 100, and what cost it its points? Place, check, filters and the open line stand in the address. */
export function HealthPage() {
  const { t } = useTranslation('healthCheck')
  const words = { title: t('title'), project: t('project'), choose: t('chooseProject'), hint: t('chooseHint') }
  return (
    <ByProject words={words}>
      {(house, selection) => (
        <Checks key={`${house.HouseID} ${gatewayOf(selection)}`} house={house} gatewayId={gatewayOf(selection)} />
      )}
    </ByProject>
  )
}

const gatewayOf = (selection: Selection): number | null => (selection.kind === 'gateway' ? selection.id : null)

/** Health checks of a project, or of one of its gateways. */
function Checks({ house, gatewayId }: { house: Project; gatewayId: number | null }) {
  const { t } = useTranslation('healthCheck')
  const { testId, isSheet, show, showSheet } = useHealthAddress()
  const mayEdit = useMayEdit()
  const [isStarting, setStarting] = useState(false)
  const scope = { HouseID: house.HouseID, ...(gatewayId !== null && { DeviceID: gatewayId }) }
  const query = useCall(
    queryHealthChecks,
    { body: { ...scope, Size: maxListed } },
    { refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? everyMs : false) },
  )
  const data = useShown(query)
  const running = data?.items.find(isRunning)
  const latest = data?.items[0]
  const done = data?.items.filter(({ State }) => State === 'done') ?? []
  const shownId = testId ?? done[0]?.TestID ?? null
  const start = async () => {
    setStarting(true)
    // Whatever is newest is shown once it is there.
    show(null)
    await callWithToast(change(startHealthCheck, { body: scope }))
    setStarting(false)
  }
  if (isSheet && shownId !== null) return <CheckSheet testId={shownId} onBack={() => showSheet(false, shownId)} />
  const reason = mayEdit ? null : t('readOnly')
  const place = gatewayId === null ? house.Name : (done[0]?.GatewayName ?? house.Name)
  return (
    <Page
      title={t('title')}
      crumb={t('scope', { place })}
      tools={
        <div className="health-tools">
          {done.length > 1 && (
            <FilterSelect
              label={t('checks')}
              value={String(shownId ?? '')}
              options={done.map((each) => ({ value: String(each.TestID), label: nameOf(each, t('monthly')) }))}
              onChange={(id) => show(Number(id) || null)}
            />
          )}
          {shownId !== null && (
            <button type="button" className="btn" onClick={() => showSheet(true, shownId)}>
              <Icon name="page" />
              {t('print')}
            </button>
          )}
          {shownId !== null && <ExportCheck testId={shownId} />}
          <ReasonedButton
            className="btn primary"
            reason={reason}
            aria-busy={isStarting || running !== undefined}
            onClick={() => !isStarting && running === undefined && void start()}
          >
            {done.length > 0 ? t('again') : t('start')}
          </ReasonedButton>
        </div>
      }
    >
      <Unloaded query={query} />
      {running && <RunningCheck check={running} />}
      {shownId !== null && latest && <LaterNothing latest={latest} />}
      {shownId !== null && <CheckBody key={shownId} testId={shownId} houseId={house.HouseID} />}
      {data && shownId === null && !running && <NoResult latest={latest} />}
    </Page>
  )
}

const isRunning = ({ State }: Pick<HealthCheck, 'State'>): boolean => State === 'running'

const nameOf = ({ Number: number, StartedAt, Origin }: HealthCheck, monthly: string): string =>
  [number, dayTime(StartedAt), ...(Origin === 'monthly' ? [monthly] : [])].join(' · ')

/** Nothing was ever examined here; or what was begun last came to nothing. */
function NoResult({ latest }: { latest: HealthCheck | undefined }) {
  const { t } = useTranslation('healthCheck')
  const why = latest ? whyNothing(latest) : null
  return <Empty title={latest && why ? t(why, linesOf(latest)) : t('none')} hint={t('noneHint')} />
}

/** What is shown is not the newest: that came to nothing, and nobody ended it. */
function LaterNothing({ latest }: { latest: HealthCheck }) {
  const { t } = useTranslation('healthCheck')
  const why = whyNothing(latest)
  if (why === null || why === 'cancelled') return null
  return (
    <p className="later-nothing">
      <b>{nameOf(latest, t('monthly'))}</b> {t(why, linesOf(latest))}
    </p>
  )
}

const linesOf = ({ Lines }: HealthCheck) => ({ lines: Lines, most: maxHealthCheckLines })
