import { useTranslation } from 'react-i18next'
import { Segments } from '../../ui/fields.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import type { ShownAs } from './use-order-address.ts'
import { useOrderAddress } from './use-order-address.ts'

/** Orders on a board or as a list, or the hazards that they are made for. A phone has no board. */
export function ShownAsChoice() {
  const { t } = useTranslation('workOrders')
  const { as, setAs } = useOrderAddress()
  const isNarrow = useNarrow()
  const options: readonly ShownAs[] = isNarrow ? ['list', 'hazards'] : ['board', 'list', 'hazards']
  return (
    <Segments
      label={t('shownAs')}
      value={isNarrow && as === 'board' ? 'list' : as}
      options={options.map((value) => ({ value, label: t(`as.${value}`) }))}
      onChange={setAs}
    />
  )
}
