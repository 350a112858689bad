import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../app/session/use-may.ts'
import { lineHistory, lineSettings } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'

/** The other pages about this line. */
export function LineMenu({ lineRef: { line, project, family } }: { lineRef: LineRef }) {
  const { t } = useTranslation('monitor')
  const history = useMayOpen('/devmon/hisdata')
  const settings = useMayOpen('/devmon/params') && (family?.settings.length ?? 0) > 0
  if (!history && !settings) return null
  return (
    <Popover label={t('lineMenu')} icon={<Icon name="external" />}>
      {history && (
        <Link className="option" to={lineHistory(project.HouseID, line.LineID)}>
          {t('lineHistory')}
        </Link>
      )}
      {settings && (
        <Link className="option" to={lineSettings(project.HouseID, line.LineID)}>
          {t('lineSettings')}
        </Link>
      )}
    </Popover>
  )
}
