import { choice, figure, fireEquipment, ours, picture, yesNo } from './item-makers.ts'

const lowVoltage = { zh: 'GB 50054：低压配电设计', en: 'GB 50054: low-voltage distribution' }

export const powerControllerItems = [
  yesNo('power.ways', '逐路手动分合，每一路动作正确、指示一致', 'Each way opened and closed by hand: it moves, and shows it', {
    source: ours,
    everyDays: 365,
  }),
  yesNo('power.wayLabels', '每一路标识清晰、与负载一致', 'Each way is labelled with what it feeds'),
  yesNo('power.indicator', '运行指示灯正常，无故障灯', 'Running lamp on, no fault lamp'),
]

export const gatewayItems = [
  yesNo('gateway.antenna', '天线拧紧，未贴金属、未被遮挡', 'Antenna is tight, free of metal and cover'),
  yesNo('gateway.supply', '供电正常，电源线牢靠，备用电池无鼓包', 'Supply is on and firm, no battery bulges'),
  figure('gateway.signal', '信号强度', 'Signal', { min: -110, max: 0, unit: 'dBm' }),
  choice('gateway.lamps', '指示灯', 'Lamps', [
    ['normal', '运行、网络均正常', 'Running and network on'],
    ['!network', '网络灯异常', 'Network lamp is off'],
    ['!fault', '故障灯亮', 'Fault lamp is on'],
  ]),
  yesNo('gateway.door', '箱门完好、上锁', 'Door is whole and locked'),
  yesNo('gateway.wiring', '通信总线端接牢靠，标识清晰', 'Bus terminals are firm and labelled'),
]

export const placeItems = [
  yesNo('place.dry', '干燥，无渗漏、积水、凝露', 'Dry: no leak, puddle or dew'),
  yesNo('place.clear', '操作通道畅通', 'The way to the equipment is clear', { source: lowVoltage }),
  yesNo('place.storage', '无堆放杂物，无易燃易爆物', 'Nothing is stored here, least of all what burns'),
  yesNo('place.door', '门锁、警示标志、挡鼠板完好', 'Door, warning signs and rodent guard are whole'),
  figure(
    'place.temperature',
    '室内温度',
    'Temperature',
    { min: -5, max: 40, unit: '°C' },
    { source: { zh: 'GB/T 7251.1：户内正常使用条件', en: 'GB/T 7251.1: indoor service conditions' } },
  ),
  yesNo('place.lighting', '照明、应急照明正常', 'Lighting and emergency lighting work'),
  yesNo('place.extinguisher', '灭火器在位，压力正常，在有效期内', 'Extinguisher is there, under pressure and valid', {
    source: fireEquipment,
    everyDays: 30,
  }),
  yesNo('place.noise', '无异响、异味', 'No unusual noise or smell'),
  picture('place.view', '整体照片', 'Photo of the whole place'),
]
