import { listDevices } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/page.tsx'
import { DeviceList } from './device-list.tsx'

/** Which devices are there, behind which gateways? */
export function DevicePage() {
  const { t } = useTranslation('gateway')
  return (
    <Page title={t('deviceList')}>
      <DeviceList label={t('deviceList')} ledger={false} call={listDevices} />
    </Page>
  )
}
