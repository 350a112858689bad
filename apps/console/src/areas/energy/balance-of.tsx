import type { EnergyBalance, EnergyFlow, Project } from '@linewarden/contract'
import { getBalance, getFlow, zoneClock } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { projectLive } from '../../paths.ts'
import { selectionText } from '../../plant/equipment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { momentText } from '../../ui/moment-text.ts'
import { Page } from '../../ui/page.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { BalanceStrip } from './balance-strip.tsx'
import { BalanceTable } from './balance-table.tsx'
import { energyBalance } from './balance-texts.ts'
import type { EnergyScope } from './energy-of.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { FlowPanel } from './flow-panel.tsx'
import { everyMs, periodOf } from './period.ts'
import { PeriodTools, unitsNamed } from './period-tools.tsx'
import { useEnergyAddress } from './use-energy-address.ts'
import './balance.css'

addTexts({ energyBalance })

/** What feeders measured against what those measured that they feed, and where the energy goes. */
export function BalanceOf({ project, scope }: { project: Project; scope: EnergyScope }) {
  const { t } = useTranslation('energy')
  const zone = civilZone(project.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const [address, go] = useEnergyAddress(today)
  const { compare } = address
  const { first, end } = periodOf(address)
  const ask = { ...scope.ask, From: dateText(first), To: dateText(end) }
  const how = { placeholderData: keepPreviousData, refetchInterval: everyMs }
  const balance = useCall(getBalance, { query: { ...ask, ...(compare && { Compare: compare }) } }, how)
  const flow = useCall(getFlow, { query: ask }, how)
  const [shown, shownFlow] = [useShown(balance), useShown(flow)]
  return (
    <Page title={t('title')} crumb={scope.name}>
      <EnergyTabs />
      <PeriodTools {...{ address, today, go }} units={unitsNamed(t)} isCompared />
      <Unloaded query={balance} />
      {shown && (
        <div
          className="energy-body balance-body"
          id={energyPanel}
          role="tabpanel"
          aria-label={t('balance')}
          aria-busy={balance.isPlaceholderData || flow.isPlaceholderData}
        >
          {first > today ? (
            <Empty title={t('future')} action={{ label: t('toNow'), run: () => go({ day: today }) }} />
          ) : (
            <Body balance={shown} flow={shownFlow ?? null} project={project} scope={scope} first={first} />
          )}
          {!shownFlow && <Unloaded query={flow} />}
        </div>
      )}
    </Page>
  )
}

interface BodyProps {
  readonly balance: EnergyBalance
  readonly flow: EnergyFlow | null
  readonly project: Project
  readonly scope: EnergyScope
  /** Of the period. */
  readonly first: number
}

function Body({ balance, flow, project, scope, first }: BodyProps) {
  const { t } = useTranslation(['energyBalance', 'energy'])
  const [, setQuery] = useSearchParams()
  const navigate = useNavigate()
  // The same period of one line, which may feed none: what it used.
  const open = (lineId: number) =>
    setQuery((before) => {
      before.set('at', selectionText({ kind: 'line', house: project.HouseID, id: lineId }))
      before.delete('tab')
      return before
    })
  const { Lines, Total, Zone, Until, AccuracyPercent } = balance
  if (Lines.length === 0)
    return scope.ask.LineID === undefined ? (
      <Empty
        title={t('none')}
        hint={t('noneHint')}
        action={{ label: t('toLines'), run: () => void navigate(projectLive(project.HouseID)) }}
      />
    ) : (
      <Empty title={t('linesNone')} hint={t('noneHint')} />
    )
  return (
    <>
      <BalanceStrip balance={balance} />
      {flow && flow.Links.length > 0 && <FlowPanel flow={flow} isAbove={balance.Verdicts.partsAboveWhole > 0} onOpen={open} />}
      <BalanceTable balance={balance} houseId={project.HouseID} first={first} onOpen={open} />
      <p className="energy-foot mute">
        {Total > Lines.length && <span>{t('limit', { shown: Lines.length, total: Total })}</span>}
        <span>{t('accuracy', { percent: AccuracyPercent })}</span>
        <span>{t('until', { time: momentText('minute', zoneClock(Zone).local(Until)) })}</span>
        <span>{t('energy:zone', { zone: Zone })}</span>
      </p>
    </>
  )
}
