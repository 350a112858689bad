import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { Segments } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { CampaignList } from './campaign-list.tsx'
import './firmware.css'
import { ImageList } from './image-list.tsx'

/** What do the gateways run, and how far are their upgrades? For who runs the installation. */
export function FirmwarePage() {
  const { t } = useTranslation(['firmware', 'app'])
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') === 'images' ? 'images' : 'campaigns'
  const toGateways = () => navigate('/system/geteway')
  return (
    <Page
      title={t('title')}
      tools={
        <button type="button" className="btn" aria-label={t('back')} onClick={toGateways}>
          <Icon name="left" />
          <span className="word">{t('back')}</span>
        </button>
      }
    >
      <div className="firmware-head">
        <Segments
          label={t('title')}
          value={tab}
          options={[
            { value: 'campaigns', label: t('campaigns') },
            { value: 'images', label: t('images') },
          ]}
          // Page and filters of one list mean nothing to the other.
          onChange={(to) => setQuery(to === 'images' ? { tab: to } : {})}
        />
      </div>
      {tab === 'images' ? <ImageList /> : <CampaignList />}
    </Page>
  )
}
