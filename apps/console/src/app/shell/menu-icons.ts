import type { Page } from '@linewarden/contract'
import type { IconName } from '../../ui/icon.tsx'

const icons: Readonly<Record<string, IconName>> = {
  devmon: 'monitor',
  timer: 'clock',
  hazard: 'shield',
  'advance.warning': 'sliders',
  energy: 'energy',
  system: 'gear',
  'hazard.patrol': 'check',
  'hazard.alarmList': 'warning',
  'hazard.rationale': 'page',
  'hazard.analysis': 'chart',
  'hazard.devTest': 'shield',
  'hazard.workorder': 'edit',
  'timer.list': 'clock',
  'timer.log': 'log',
  'scene.list': 'scene',
  'scene.log': 'log',
  'linkage.list': 'linkage',
  'linkage.log': 'log',
  'report.deviceData': 'columns',
  'report.powerReport': 'energy',
  'report.schedules': 'clock',
  'energy.energy': 'energy',
  'system.geteway': 'gateway',
  'system.users': 'user',
  'system.roles': 'lock',
  'system.keys': 'lock',
  'devmon.realtime': 'monitor',
  'devmon.hisdata': 'chart',
  'devmon.faultalarm': 'warning',
  'devmon.params': 'sliders',
}

/** What stands beside the name of a section or page. */
export const iconOf = ({ key }: Page): IconName => icons[key] ?? 'page'
