import type { Project, VirtualMeter } from '@linewarden/contract'
import { maxReportLines } from '@linewarden/contract'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ByProject } from '../../plant/by-project.tsx'
import type { Selection } from '../../plant/equipment.ts'
import { countsOf, linesOfProject } from '../../plant/equipment.ts'
import { useProjects } from '../../plant/queries.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import type { EnergyScope } from './energy-of.tsx'
import { EnergyOf } from './energy-of.tsx'
import { EnergyProjects } from './energy-projects.tsx'
import { useEnergyTab } from './energy-tabs.tsx'
import { MeterChoice, useVirtualMeter } from './meter-choice.tsx'
import { energy } from './texts.ts'
import '../../ui/list.css'
import '../../ui/strip.css'
import './energy.css'
import './energy-print.css'

addTexts({ energy })

const EnergyBalance = lazyPart(async () => (await import('./balance-of.tsx')).BalanceOf)
const EnergyBudget = lazyPart(async () => (await import('./budget-of.tsx')).BudgetOf)
const EnergyCost = lazyPart(async () => (await import('./cost-of.tsx')).CostOf)
const EnergyLoad = lazyPart(async () => (await import('./load-part.tsx')).EnergyLoad)
const EnergySettings = lazyPart(async () => (await import('./energy-settings.tsx')).EnergySettings)

/** How much was used, when, and how well that is known? Place, period and comparison stand in the address. */
export function EnergyPage() {
  const { t } = useTranslation('energy')
  const words = { title: t('title'), project: t('project'), choose: t('chooseProject'), hint: t('chooseHint') }
  return (
    <ByProject words={words} beside={(houses, select) => <EnergyProjects houses={houses} select={select} />}>
      {(house, selection) => <OfHouse key={house.HouseID} house={house} selection={selection} />}
    </ByProject>
  )
}

/** A project, or what is selected in it: that has its name once the project is there with all that is in it. */
function OfHouse({ house, selection }: { house: Project; selection: Selection }) {
  const { t } = useTranslation('energy')
  const [tab] = useEnergyTab()
  const isHouse = selection.kind === 'house'
  const virtual = useVirtualMeter(house.HouseID, isHouse)
  const { projects, lacking } = useProjects(isHouse ? [] : [house.HouseID])
  if (tab === 'cost')
    return (
      <Suspense fallback={<Waiting name={house.Name} />}>
        <EnergyCost house={house} />
      </Suspense>
    )
  if (tab === 'budget')
    return (
      <Suspense fallback={<Waiting name={house.Name} />}>
        <EnergyBudget house={house} />
      </Suspense>
    )
  if (tab === 'settings')
    return (
      <Suspense fallback={<Waiting name={house.Name} />}>
        <EnergySettings house={house} />
      </Suspense>
    )
  const choice = isHouse && <MeterChoice {...virtual} />
  const scope = (isHouse && virtualScope(virtual.chosen)) || scopeOf(selection, projects[0] ?? house)
  const real = scopeOf(selection, projects[0] ?? house)
  if (real && tab === 'balance')
    return (
      <Suspense fallback={<Waiting name={real.name} />}>
        <EnergyBalance project={house} scope={real} />
      </Suspense>
    )
  if (scope && tab === 'load')
    return (
      <Suspense fallback={<Waiting name={scope.name} />}>
        <EnergyLoad project={house} scope={scope} choice={choice} />
      </Suspense>
    )
  if (scope) return <EnergyOf project={house} scope={scope} choice={choice} />
  return <Page title={t('title')}>{lacking ? <Unloaded query={lacking} /> : <Empty title={t('chooseLine')} />}</Page>
}

function Waiting({ name }: { name: string }) {
  const { t } = useTranslation('energy')
  return (
    <Page title={t('title')} crumb={name}>
      <Loading />
    </Page>
  )
}

const virtualScope = (meter: VirtualMeter | undefined): EnergyScope | null =>
  meter ? { ask: { MeterID: meter.MeterID }, name: meter.Name, parts: null } : null

/** What the tree has selected, as it is counted; null: a device of several lines, or one that is not known yet. */
function scopeOf(selection: Selection, house: Project): EnergyScope | null {
  switch (selection.kind) {
    case 'gateway': {
      const gateway = house.Devices.find(({ DeviceID }) => DeviceID === selection.id)
      return {
        ask: { DeviceID: selection.id },
        name: gateway?.GatewayName ?? house.Name,
        parts: linesOf(countsOf(gateway?.Devices ?? []).lines, { DeviceID: selection.id }),
      }
    }
    case 'line':
      return {
        ask: { LineID: selection.id },
        name: linesOfProject(house).find(({ line }) => line.LineID === selection.id)?.line.LineName ?? house.Name,
        parts: null,
      }
    case 'device': {
      const [only, another] = linesOfProject(house).filter(({ device }) => device.ControllerID === selection.id)
      return only && !another ? { ask: { LineID: only.line.LineID }, name: only.line.LineName, parts: null } : null
    }
    default: {
      const { HouseID, Name, Counts } = house
      const own = { HouseIDs: [HouseID] }
      return {
        ask: { HouseID },
        name: Name,
        parts: Counts.Gateways > 1 ? { Rows: 'gateway', ...own } : linesOf(Counts.Lines, own),
      }
    }
  }
}

/** Lines side by side, where they are not too many to be added up at once. */
const linesOf = (count: number, ask: { DeviceID: number } | { HouseIDs: number[] }): EnergyScope['parts'] =>
  count > 0 && count <= maxReportLines ? { Rows: 'line', ...ask } : null
