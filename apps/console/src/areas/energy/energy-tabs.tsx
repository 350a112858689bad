import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Tabs } from '../../ui/tabs.tsx'

const tabs = ['overview', 'load', 'balance', 'cost', 'budget', 'settings'] as const
type EnergyTab = (typeof tabs)[number]

/** The id of what the tabs stand over. */
export const energyPanel = 'energy-panel'

/** Which part of the page is open; the address holds it. */
export function useEnergyTab(): readonly [EnergyTab, (tab: EnergyTab) => void] {
  const [query, setQuery] = useSearchParams()
  const go = (tab: EnergyTab) =>
    setQuery((before) => {
      if (tab === 'overview') before.delete('tab')
      else before.set('tab', tab)
      return before
    })
  return [tabs.find((each) => each === query.get('tab')) ?? 'overview', go]
}

export function EnergyTabs() {
  const { t } = useTranslation('energy')
  const [tab, go] = useEnergyTab()
  const shown = tabs.map((key) => ({ key, label: t(key) }))
  return <Tabs label={t('title')} tabs={shown} chosen={tab} panel={energyPanel} onChoose={go} />
}
