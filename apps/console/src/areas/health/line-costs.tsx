import type { HealthCheckLine } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { mainCosts } from './words.ts'

/** What cost a line most, or what kept it from being scored at all. */
export function LineCosts({ line }: { line: Pick<HealthCheckLine, 'Score' | 'Items' | 'Gaps'> }) {
  const { t } = useTranslation('healthCheck')
  if (line.Score === null) return t('lacks', { list: line.Gaps.map(({ Text }) => localised(Text)).join(t('and')) })
  return line.Items.length === 0 ? t('nothingLost') : mainCosts(line, localised, t('between'))
}
