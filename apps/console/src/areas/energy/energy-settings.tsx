import type { Project } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { Segments } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { CarbonPart } from './carbon-part.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { FixList } from './fix-list.tsx'
import { HandReadingList } from './hand-reading-list.tsx'
import { MeterList } from './meter-list.tsx'
import { PublicDays } from './public-days.tsx'
import { energySettings } from './settings-texts.ts'
import { SupplyList } from './supply-list.tsx'
import { TariffPart } from './tariff-part.tsx'
import { VirtualList } from './virtual-list.tsx'
import './energy-settings.css'

addTexts({ energySettings })

const parts = ['supplies', 'tariffs', 'meters', 'fixes', 'virtual', 'publicDays', 'carbon'] as const

/** What a project's energy is billed by. Whoever may open the page reads it; whoever may edit projects writes it. */
export function EnergySettings({ house }: { house: Project }) {
  const { t } = useTranslation(['energySettings', 'energy'])
  const [query, setQuery] = useSearchParams()
  const part = parts.find((each) => each === query.get('part')) ?? 'supplies'
  const setPart = (to: (typeof parts)[number]) =>
    setQuery((before) => {
      before.set('part', to)
      return before
    })
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const reason = may ? null : t('onlyReads')
  return (
    <Page title={t('energy:title')} crumb={house.Name}>
      <EnergyTabs />
      <div className="energy-settings" id={energyPanel} role="tabpanel" aria-label={t('energy:settings')}>
        <Segments
          label={t('energy:settings')}
          value={part}
          options={parts.map((value) => ({ value, label: t(value) }))}
          onChange={setPart}
        />
        {part === 'supplies' && <SupplyList house={house} reason={reason} />}
        {part === 'tariffs' && <TariffPart house={house} reason={reason} />}
        {part === 'meters' && <MeterList house={house} reason={reason} />}
        {part === 'fixes' && <FixList house={house} reason={reason} />}
        {part === 'fixes' && <HandReadingList house={house} reason={reason} />}
        {part === 'virtual' && <VirtualList house={house} reason={reason} />}
        {part === 'publicDays' && <PublicDays house={house} />}
        {part === 'carbon' && <CarbonPart house={house} reason={reason} />}
      </div>
    </Page>
  )
}
