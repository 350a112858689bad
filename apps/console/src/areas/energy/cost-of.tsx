import type { EnergyPicture, Project, Request, Supply } from '@linewarden/contract'
import { exportCost, getEnergy, listSupplies } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { billingMonth } from '@linewarden/rules/energy'
import { keepPreviousData } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ExportChoices } from '../../app/notify/export-menu.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts, language } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { CostBands } from './cost-bands.tsx'
import { CostBill } from './cost-bill.tsx'
import { CostStrip } from './cost-strip.tsx'
import { CostTable } from './cost-table.tsx'
import { energyCost } from './cost-texts.ts'
import { partsIn } from './cost-values.ts'
import { EnergyChart } from './energy-chart.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { shownKwh } from './figures.ts'
import { KnownPeriod } from './known-period.tsx'
import type { OpenOrigin } from './origin-figure.tsx'
import type { EnergyAddress } from './period.ts'
import { everyMs, periodName, periodOf } from './period.ts'
import type { Go } from './period-tools.tsx'
import { PeriodTools, unitsNamed } from './period-tools.tsx'
import { nameOf, stepOf } from './tariff-values.ts'
import { useEnergyAddress } from './use-energy-address.ts'
import { useOrigin } from './use-origin.ts'
import './tariff.css'
import './cost.css'

addTexts({ energyCost })

const Origin = lazyPart(async () => (await import('./origin-drawer.tsx')).OriginDrawer)

/** What the energy of a project costs, by what the utility bills. */
export function CostOf({ house }: { house: Project }) {
  const { t } = useTranslation(['energyCost', 'energy'])
  const query = useCall(listSupplies, { query: { HouseID: house.HouseID } })
  const supplies = query.data?.items ?? []
  const [address, setAddress] = useSearchParams()
  const named = supplies.find(({ SupplyID }) => String(SupplyID) === address.get('supply'))
  const supply = named ?? supplies.find(({ To }) => To === null) ?? supplies[0]
  const choose = (id: string) =>
    setAddress((before) => {
      before.set('supply', id)
      return before
    })
  const openSettings = useSettings()
  return (
    <Page title={t('energy:title')} crumb={house.Name}>
      <EnergyTabs />
      {!query.data && <Unloaded query={query} />}
      {query.data && !supply && (
        <div id={energyPanel} role="tabpanel" aria-label={t('energy:cost')}>
          <Empty
            title={t('noSupplies')}
            hint={t('noSuppliesHint')}
            action={{ label: t('toSupplies'), run: () => openSettings('supplies') }}
          />
        </div>
      )}
      {supply && <OfSupply key={supply.SupplyID} house={house} supply={supply} supplies={supplies} choose={choose} />}
    </Page>
  )
}

/** Where supplies and tariffs are set. */
function useSettings() {
  const [, setAddress] = useSearchParams()
  return (part: 'supplies' | 'tariffs') =>
    setAddress((before) => {
      before.set('tab', 'settings')
      before.set('part', part)
      return before
    })
}

function OfSupply(props: { house: Project; supply: Supply; supplies: readonly Supply[]; choose: (id: string) => void }) {
  const { house, supply, supplies, choose } = props
  const { t } = useTranslation(['energyCost', 'energy'])
  const zone = civilZone(house.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const [address, go] = useEnergyAddress(today)
  const { first, end } = periodOf(address)
  const ask = {
    ...{ SupplyID: supply.SupplyID, Unit: address.unit, From: dateText(first), To: dateText(end) },
    ...(address.compare && { Compare: address.compare }),
  }
  const file = { HouseID: house.HouseID, ...ask }
  const query = useCall(
    getEnergy,
    { query: { ...ask, By: 'band' } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const picture = useShown(query)
  const origin = useOrigin()
  const acts = (
    <ExportChoices
      isEmpty={picture?.Total.Wh == null}
      choices={(['xlsx', 'csv'] as const).map((format) => fileOf(file, format))}
    />
  )
  return (
    <>
      <PeriodTools {...{ address, today, go, acts }} isCompared units={unitsNamed((key) => t(`energy:${key}`))}>
        {supplies.length > 1 && (
          <select aria-label={t('supply')} value={supply.SupplyID} onChange={(event) => choose(event.target.value)}>
            {supplies.map(({ SupplyID, Name }) => (
              <option key={SupplyID} value={SupplyID}>
                {Name}
              </option>
            ))}
          </select>
        )}
      </PeriodTools>
      <Unloaded query={query} />
      {picture && (
        <div
          className="energy-body"
          id={energyPanel}
          role="tabpanel"
          aria-label={t('energy:cost')}
          aria-busy={query.isPlaceholderData}
        >
          <Body {...{ picture, address, supply, today, go }} onOrigin={origin.open} />
          {first <= today && (
            <CostBill houseId={house.HouseID} supply={supply} month={monthText(billingMonth(address.day, supply.BillingDay))} />
          )}
        </div>
      )}
      {origin.places.length > 0 && (
        <Suspense fallback={null}>
          <Origin ask={{ SupplyID: supply.SupplyID }} places={origin.places} go={origin.go} />
        </Suspense>
      )}
    </>
  )
}

/** What is shown as a file. */
const fileOf = (asked: Omit<Request<typeof exportCost>['body'], 'Format' | 'Language'>, Format: 'xlsx' | 'csv') => ({
  label: Format === 'xlsx' ? 'Excel' : 'CSV',
  ticket: () => api.call(exportCost, { body: { ...asked, Format, Language: language() } }),
})

const monthText = (day: number): string => dateText(day).slice(0, 7)

function Body(props: {
  picture: EnergyPicture
  address: EnergyAddress
  supply: Supply
  today: number
  go: Go
  onOrigin: OpenOrigin
}) {
  const { picture, address, supply, today, go, onOrigin } = props
  const { t } = useTranslation(['energyCost', 'energy'])
  const openSettings = useSettings()
  const { Bars, Total, Pricing, Since, Zone } = picture
  const shown = shownKwh(Bars, Total.Wh)
  const bands = Pricing?.Bands ?? []
  const never = { title: t('never'), hint: t('neverHint') }
  return (
    <KnownPeriod {...{ address, today, go, never }} zone={Zone} since={Since}>
      <CostStrip {...{ picture, shown, onOrigin }} period={periodName(address.unit, periodOf(address))} />
      {Total.Wh !== null && bands.length === 0 && (
        <p className="cost-note">
          {t(supply.Tariffs.length === 0 ? 'noTariff' : 'noVersion')}{' '}
          <button
            type="button"
            className="energy-open"
            onClick={() => openSettings(supply.Tariffs.length === 0 ? 'supplies' : 'tariffs')}
          >
            {t('toTariffs')}
          </button>
        </p>
      )}
      <p className="energy-legend" aria-hidden="true">
        {bands.map((key, band) => (
          <span key={key} className="cost-key">
            <i className={`tariff-swatch tariff-step-${stepOf(bands, band)}`} />
            {nameOf(key)}
          </span>
        ))}
        {(Total.Cost?.UnpricedWh ?? 0) !== 0 && (
          <span className="cost-key">
            <i className="tariff-swatch cost-unpriced" />
            {t('unpriced')}
          </span>
        )}
        {Bars.some(({ LackingS }) => LackingS > 0) && <span className="energy-key gap">{t('energy:keyGap')}</span>}
      </p>
      <EnergyChart
        bars={Bars}
        label={t('chart', { name: supply.Name, total: shown.total })}
        partsOf={(bar) => partsIn(bands, bar)}
      />
      <CostBands picture={picture} shown={shown} />
      <CostTable {...{ picture, shown, onOrigin }} unit={address.unit} onOpen={go} />
      <p className="energy-foot mute">
        <span>{t('energyOnly')}</span>
        {Pricing?.ByWeekday && <span>{t('byWeekday')}</span>}
        <span>{t('energy:zone', { zone: Zone })}</span>
      </p>
    </KnownPeriod>
  )
}
