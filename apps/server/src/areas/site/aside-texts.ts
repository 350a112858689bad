import type { Text } from '@linewarden/equipment'

/** Why something of a gateway was not taken, and what to do about it, by the reason it is kept aside with. */
const texts: Readonly<Record<string, Text>> = {
  time_unit: {
    zh: '报文时间的单位不对，未采集。请在网关上把时间改为 Unix 毫秒',
    en: 'The time of its messages is in a wrong unit, and they are not taken. Set the gateway to Unix milliseconds',
  },
  misspelt_field: {
    zh: '报文的时间或历史标记字段名写错，未采集。请按通信协议改为 time 和 historical',
    en: 'The field of the time, or the mark of kept values, is misspelt in its messages, and they are not taken. Have it call them "time" and "historical"',
  },
  time: {
    zh: '报文时间早于 1970 年或晚于 2099 年，该值未采集。请校准网关时钟',
    en: "Values from before 1970 or after 2099 are not taken. Set the gateway's clock",
  },
  implausible: {
    zh: '上报了不可能的数值，已按缺失处理。请检查传感器和接线',
    en: 'It reports values that cannot be; they count as missing. Check the sensor and its wiring',
  },
  not_finite: {
    zh: '上报了无穷大的数值，已按缺失处理。请检查传感器和接线',
    en: 'It reports infinite values; they count as missing. Check the sensor and its wiring',
  },
  compressed: {
    zh: '报文经过压缩，未采集。请在网关上关闭压缩',
    en: 'Its messages are compressed, and nothing of them is taken. Switch compression off in the gateway',
  },
  other_group: {
    zh: '报文的组名与上线时不同，未采集。请在网关上统一 Sparkplug 组名',
    en: 'It reports under another Sparkplug group than it was born in, and that is not taken. Set one group in the gateway',
  },
  not_born: {
    zh: '设备尚未上线就上报数据，未采集。请让网关先发送上线报文',
    en: 'It reports of a device that has not been born, and that is not taken. Have the gateway send its birth first',
  },
  unknown_alias: {
    zh: '数据用了上线时没有登记的别名，该值未采集。请更新网关程序',
    en: 'Its data has an alias that no birth announced; that value is not taken. Update the gateway',
  },
  birth_seq: {
    zh: '上线报文的序号不是 0，未采集。请更新网关程序',
    en: 'Its birth does not begin with sequence number 0, and is not taken. Update the gateway',
  },
  unknown_state: {
    zh: '上报了未定义的状态，未采集。请更新网关的上报配置',
    en: 'It reports a state that there is not; it is not taken. Correct what the gateway reports',
  },
  bad_setting: {
    zh: '上报的参数不是数字，未采集。请更新网关的上报配置',
    en: 'It reports a setting that is no number; it is not taken. Correct what the gateway reports',
  },
  bad_signal: {
    zh: '上报的信号强度不是 -150 至 0 dBm，未采集。请更新网关的上报配置',
    en: 'It reports a signal outside -150 to 0 dBm; it is not taken. Correct what the gateway reports',
  },
  bad_recording: {
    zh: '上报的录波无法读取，未保存。请更新网关的上报配置',
    en: 'It sends a recording that cannot be read; it is not kept. Correct what the gateway reports',
  },
  wrong_type: {
    zh: '测量值不是数字，未采集。请更新网关的上报配置',
    en: 'It reports text or true/false where a number belongs; it is not taken. Correct what the gateway reports',
  },
  json: {
    zh: '报文格式不正确，未采集。请按通信协议修改网关程序',
    en: "Its messages do not have the form of the protocol, and are not taken. Correct the gateway's program",
  },
  topic: {
    zh: '网关在不属于它的主题上发布，连接已断开。请核对主题中的网关编号',
    en: 'It publishes where it may not, and is cut off. Check the gateway number in its topics',
  },
  retained: {
    zh: '网关发布了保留消息，连接已断开。请在网关上关闭保留（retain）',
    en: 'It publishes retained messages, and is cut off. Switch "retain" off in the gateway',
  },
  too_large: {
    zh: '报文过大，未采集。请让网关分多条发送',
    en: 'Its message is too large, and is not taken. Have the gateway send several',
  },
  too_many_metrics: {
    zh: '一条报文的数据项太多，未采集。请让网关分多条发送',
    en: 'Its message has too many metrics, and is not taken. Have the gateway send several',
  },
  refused_by_database: {
    zh: '有数据无法保存。请联系运维人员查看系统日志',
    en: 'Something of it could not be stored. Ask whoever runs the server to look at its log',
  },
  not_a_detector: {
    zh: '平台推送的数据未采集：该网关不是独立探测器，或自己已连接',
    en: 'What a platform pushes for it is not taken: it is no single detector, or is connected itself',
  },
  unknown_product: {
    zh: '平台推送的产品在订阅中没有对应型号，未采集。请在平台推送页补上该产品',
    en: 'A platform pushes for it under a product that the subscription has no model for; that is not taken. Add the product on the page of platform pushes',
  },
  disabled: {
    zh: '该网关已停用，平台推送的数据未采集',
    en: 'It is disabled, so what a platform pushes for it is not taken',
  },
}

const unreadable: Text = {
  zh: '报文无法解码，未采集。请更新网关程序',
  en: 'Its messages cannot be decoded, and are not taken. Update the gateway',
}

/** Told of each device by itself: see `RefusedDevices`. */
const ofDevices: ReadonlySet<string> = new Set(['device_birth', 'too_many_devices', 'too_many_lines'])

/** What a person is told; null: nothing. Reasons of their own have malformed bytes only, and there is one thing to do about all of those. */
export const asideText = (reason: string): Text | null => (ofDevices.has(reason) ? null : (texts[reason] ?? unreadable))
