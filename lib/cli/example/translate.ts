/** English words in German, for short sentences about machines and orders. */
const GERMAN = new Map(
  Object.entries({
    a: 'eine',
    an: 'eine',
    and: 'und',
    are: 'sind',
    arrives: 'kommt',
    at: 'um',
    battery: 'Batterie',
    before: 'vor',
    bridge: 'Brücke',
    clean: 'sauber',
    closed: 'geschlossen',
    cold: 'kalt',
    delivery: 'Lieferung',
    door: 'Tür',
    eight: 'acht',
    empty: 'leer',
    evening: 'Abend',
    good: 'guten',
    hello: 'hallo',
    here: 'hier',
    hot: 'heiß',
    in: 'in',
    is: 'ist',
    lamp: 'Lampe',
    late: 'spät',
    machine: 'Maschine',
    market: 'Markt',
    morning: 'Morgen',
    new: 'neu',
    nine: 'neun',
    not: 'nicht',
    now: 'jetzt',
    "o'clock": 'Uhr',
    open: 'offen',
    or: 'oder',
    please: 'bitte',
    power: 'Leistung',
    pump: 'Pumpe',
    ready: 'bereit',
    red: 'rot',
    ten: 'zehn',
    thanks: 'danke',
    the: 'die',
    today: 'heute',
    tomorrow: 'morgen',
    valve: 'Klappe',
    very: 'sehr',
    warm: 'warm',
    with: 'mit',
    world: 'Welt',
    yes: 'ja',
  }),
)

/**
 * Translates an English sentence into German, word by word. A sentence keeps its punctuation and its capital
 * letter. Words outside of the dictionary stay as they are.
 */
export const translate = (text: string): string =>
  text.replace(/[\p{L}’']+/gu, (word) => {
    const found = GERMAN.get(word.toLowerCase().replaceAll('’', "'"))
    if (found === undefined) return word
    return /^\p{Lu}/u.test(word) ? found.charAt(0).toUpperCase() + found.slice(1) : found
  })
