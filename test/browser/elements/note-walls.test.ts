import { expect } from '@open-wc/testing';
import { purify } from '../../../packages/elements/src/markdown/purify.ts';
import { clean } from '../../../packages/elements/src/markdown/wall.ts';
import { fresh, ready, strangers } from './note-parts.ts';

/** HTML that has got past sanitisers: mutation, foreign namespaces, clobbering, handlers, addresses, entities, odd parsing. */
const HOSTILE: readonly string[] = [
  '<img src=x onerror=window.__hit=1>',
  '<svg onload=window.__hit=1>',
  '<svg><script>window.__hit=1</script></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__hit=1&gt;">',
  '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=window.__hit=1">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.__hit=1>',
  '<svg></p><style><a id="</style><img src=1 onerror=window.__hit=1>">',
  '<svg><p><style><g title="</style><img src=x onerror=window.__hit=1>">',
  '<svg><desc><table><thead><style></svg></style><img src onerror=window.__hit=1></style></thead></table></svg>',
  '<svg><foreignObject><math><annotation-xml encoding="text/html"><style><img title="</style><img src onerror=window.__hit=1>">',
  '<math><annotation-xml encoding="text/html"><p><style><!--</style><a title="--><img src onerror=window.__hit=1>">',
  '<noscript><p title="</noscript><img src=x onerror=window.__hit=1>">',
  '<noembed><p title="</noembed><img src=x onerror=window.__hit=1>"></noembed>',
  '<xmp><p title="</xmp><img src=x onerror=window.__hit=1>"></xmp>',
  '<textarea><p title="</textarea><img src=x onerror=window.__hit=1>"></textarea>',
  '<title><p title="</title><img src=x onerror=window.__hit=1>"></title>',
  '<iframe srcdoc="<script>parent.__hit=1</script>"></iframe>',
  '<iframe src="javascript:parent.__hit=1"></iframe>',
  '<template><img src=x onerror=window.__hit=1></template>',
  '<template shadowrootmode=open><img src=x onerror=window.__hit=1></template>',
  '<p><template shadowrootmode=open><script>window.__hit=1</script></template></p>',
  '<form id=a><input name=attributes><input name=nodeName><input name=parentNode><input name=childNodes></form>',
  '<form><input name=removeChild><input name=getAttributeNames><img src=x onerror=window.__hit=1></form>',
  '<a id=document href="https://example.org"><a id=document name=cookie href="https://example.org">x</a>',
  '<img name=querySelectorAll src=x onerror=window.__hit=1>',
  '<a href="javascript:window.__hit=1">x</a>',
  '<a href=" &#14; javascript:window.__hit=1">x</a>',
  '<a href="java&Tab;script:window.__hit=1">x</a>',
  '<a href="jav&#x0A;ascript&colon;window.__hit=1">x</a>',
  '<a href="data:text/html,<script>parent.__hit=1</script>">x</a>',
  '<a href="https://example.org" ping="https://example.org/p" onclick="window.__hit=1" style="x" class="y">x</a>',
  '<svg><a xlink:href="javascript:window.__hit=1"><text>x</text></a></svg>',
  '<svg><a><animate attributeName=href values=javascript:window.__hit=1 /><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=window.__hit=1>#x"/></svg>',
  '<math href="javascript:window.__hit=1">x</math>',
  '<progress value=1 max=2 onfocus=window.__hit=1 autofocus tabindex=1 style=x>y</progress>',
  '<p is=x-y onclick=window.__hit=1 slot=a part=b data-x=1 aria-label=z>x</p>',
  '<x-y onclick=window.__hit=1>x</x-y>',
  '<details open ontoggle=window.__hit=1>x</details>',
  '<video><source onerror=window.__hit=1></video>',
  '<body onload=window.__hit=1><p>x',
  '<style>@import "https://example.org/x.css";</style>',
  '<link rel=stylesheet href="https://example.org/x.css"><meta http-equiv=refresh content="0;url=https://example.org"><base href="https://example.org/">',
  '<object data="data:text/html,x"></object><embed src="data:text/html,x">',
  '<button popovertarget=x formaction="javascript:window.__hit=1">x</button><select><option>x</select>',
  '<!--><img src=x onerror=window.__hit=1>-->',
  '<!--!><img src=x onerror=window.__hit=1>-->',
  '<![CDATA[><img src=x onerror=window.__hit=1>]]>',
  '<?xml ><img src=x onerror=window.__hit=1> ?>',
  '<table><tr><td><a href="https://example.org"><table><a href="javascript:window.__hit=1">x',
  '<a href="https://example.org"><p><a href="https://example.org">x</a></p></a>',
  '<p\u0000 onclick=window.__hit=1>x',
  '<img/src/onerror=window.__hit=1>',
  '<<img src=x onerror=window.__hit=1>',
  '<a title="`><img src=x onerror=window.__hit=1>`">x</a>',
  '\u0130\u0130\u0130\u0130\u0130\u0130<!-- a --\u0130\u0130>< --><!-- <img src=x onerror=window.__hit=1>',
  `${'<div>'.repeat(520)}<img src=x onerror=window.__hit=1>`,
  `${'<b><p>'.repeat(60)}<svg><style><img src=x onerror=window.__hit=1>`,
];

const hit = (): unknown => (window as unknown as Record<string, unknown>)['__hit'];
/** Long enough for whatever was set off to run: a picture that fails says so after this one has. */
async function aMoment(): Promise<void> {
  const image = new Image();
  await new Promise((resolve) => {
    image.onerror = resolve;
    image.src = 'data:image/png,none';
  });
}

describe('note: walls', () => {
  before(() => ready());
  afterEach(() => expect(hit()).to.equal(undefined));

  it('lets nothing of any hostile HTML through a note, as block, within a line, in a link, in a table or in code', async () => {
    for (const html of HOSTILE) {
      for (const markdown of [
        html,
        `text ${html} text`,
        `[${html}](https://example.org)`,
        `- ${html}`,
        `| a |\n| - |\n| ${html} |`,
        `![${html}](x)`,
        `\`${html}\``,
        `> ${html}\n\n${html}`,
      ]) {
        const { box } = fresh(`${markdown}\n\nafter`);
        document.body.append(box);
        expect(strangers(box), markdown.slice(0, 200)).to.deep.equal([]);
        expect(box.lastElementChild!.textContent, markdown.slice(0, 200)).to.contain('after');
        box.remove();
      }
    }
    await aMoment();
  });

  it('lets no address through that would run something, however it is written', () => {
    const hrefs = [
      'javascript:x',
      'JaVaScript:x',
      ' javascript:x',
      '\tjavascript:x',
      'java\\script:x',
      '&#106;avascript:x',
      '&#x6A;avascript:x',
      'javascript&colon;x',
      'java&Tab;script:x',
      'data:text/html,x',
      'vbscript:x',
      'file:///x',
      '//example.org',
      '/x',
      '#x',
      '?x',
      'x',
      'blob:https://example.org/x',
      'view-source:https://x',
      'https:x',
      'https:/x',
      'http&colon;//x',
    ];
    for (const href of hrefs) {
      for (const markdown of [`[x](${href})`, `[x](<${href}>)`, `[x]\n\n[x]: ${href}`, `<${href}>`, `![x](${href})`]) {
        expect(fresh(markdown).box.querySelector('a, img'), markdown).to.equal(null);
      }
    }
  });

  it('stands by the second wall alone: of HTML written by nobody but the attacker nothing passes the look behind it', async () => {
    let refused = 0;
    for (const html of HOSTILE) {
      try {
        const box = clean(html);
        document.body.append(box);
        expect(
          strangers(box).filter(
            (one) =>
              !/^(?:progress title|img (?:src|alt|title)|<img[^>]*>)$/.test(one) && !/^<img(?: (?:src|alt|title)="[^"]*")*>$/.test(one),
          ),
          html,
        ).to.deep.equal([]);
        box.remove();
      } catch {
        refused++;
      }
    }
    await aMoment();
    expect(refused).to.be.below(HOSTILE.length);
  });

  it('stands by DOMPurify too, which is there for browsers without a wall of their own', async () => {
    for (const html of HOSTILE) {
      const box = document.createElement('div');
      purify(html, box);
      document.body.append(box);
      for (const element of box.querySelectorAll('*')) {
        expect(
          element.matches(
            'a,p,br,hr,em,strong,del,code,pre,ul,ol,li,blockquote,table,thead,tbody,tr,th,td,h1,h2,h3,h4,h5,h6,progress,img,div,span',
          ),
          html,
        ).to.equal(true);
        const own: Readonly<Record<string, string>> = {
          a: 'href title',
          progress: 'value max aria-label',
          img: 'src alt title',
          ol: 'start',
          th: 'align',
          td: 'align',
        };
        for (const { name } of element.attributes) expect(own[element.localName]?.split(' ') ?? [], html).to.include(name);
        expect(element.getAttribute('href') ?? 'https://', html).to.match(/^(?:https?:\/\/|mailto:)/);
      }
      box.remove();
    }
    await aMoment();
  });

  const link = (over: Readonly<Record<string, string>> = {}): string => {
    const rel = 'noopener noreferrer nofollow ugc';
    const attributes = { href: 'https://example.org', target: '_blank', rel, referrerpolicy: 'no-referrer', ...over };
    return `<a ${Object.entries(attributes)
      .map(([name, value]) => `${name}="${value}"`)
      .join(' ')}>x</a>`;
  };
  const place = 'tabindex="0" role="group" aria-label="x"';
  const written = [
    link(),
    `<pre ${place}>x</pre>`,
    `<div class="scroll" ${place}>x</div>`,
    '<ul><li class="task"><span role="img" aria-label="x">x</span></li><li>x</li></ul>',
    '<progress value="1" max="2" aria-label="x"></progress>',
  ];
  /** Next to what notes write themselves: something is missing, another value, or on another element. */
  const strange = [
    '<a href="https://example.org">x</a>',
    link({ target: '_top' }),
    link({ rel: 'opener' }),
    link({ rel: 'noopener noreferrer nofollow ugc opener' }),
    link({ referrerpolicy: 'unsafe-url' }),
    '<pre>x</pre>',
    '<pre tabindex="5" role="group" aria-label="x">x</pre>',
    '<pre tabindex="0" role="alert" aria-label="x">x</pre>',
    '<div>x</div>',
    `<div ${place}>x</div>`,
    `<div class="mark" ${place}>x</div>`,
    `<div class="scroll mark" ${place}>x</div>`,
    '<span>x</span>',
    '<span role="button" aria-label="x">x</span>',
    '<ul><li class="plain">x</li></ul>',
    '<progress value="1" max="2"></progress>',
  ];

  it('lets pass what notes write themselves to the letter, and refuses what only resembles it', async () => {
    for (const html of written) expect(clean(html).innerHTML, html).to.equal(html);
    for (const html of strange) {
      // Either wall may already have made it harmless; what it leaves as it was, the look refuses.
      let left: string | undefined;
      try {
        left = clean(html).innerHTML;
      } catch {
        continue;
      }
      expect(left, html).not.to.equal(html);
      expect(left, html).not.to.match(/_top|opener"|unsafe|alert|button|mark|plain|tabindex="5"/);
    }
  });

  it('lets no value of its own attributes pass DOMPurify that it did not write, nor on another element', () => {
    const box = document.createElement('div');
    for (const html of written) {
      purify(html, box);
      const twin = document.createElement('div');
      twin.innerHTML = html;
      expect(box.isEqualNode(twin), html).to.equal(true);
    }
    for (const html of [...strange, `<p class="scroll" ${place} target="_blank">x</p>`, '<table class="task"></table>']) {
      purify(html, box);
      expect(box.innerHTML, html).not.to.match(/_top|opener"|unsafe|alert|button|mark|plain|tabindex="5"|<(?:p|table) /);
    }
  });

  it('says where a link leads as the browser has it, however its address is written', () => {
    const hosts = [
      'example.org',
      'EXAMPLE.org',
      'example.org:443',
      'example.org:8443',
      'a@example.org',
      'example.org&sol;@other.org',
      'example.org&#64;other.org',
      'example.org&commat;other.org',
      'other.org%2f@example.org',
      'exa-mple.co.uk',
      'xn--e1afmkfd.org',
      'b\u00fccher.org',
      '0x7f.1',
      '127.1',
      '1.2.3.4',
      'a.b.0x1',
      '[::1]',
      'example.org.',
      'a_b.org',
      'example.org\\\\@other.org',
    ];
    for (const host of hosts) {
      for (const rest of ['', '/', '/path', '?q', '#f', '/a@b.org']) {
        const { box } = fresh(`[words](<https://${host}${rest}>)`);
        const found = box.querySelector('a');
        // What no browser can make anything of is no link.
        expect(found !== null, `${host}${rest}`).to.equal(URL.canParse(`https://${host.replaceAll('&', 'x')}${rest}`));
        if (found) expect(found.dataset['host'], `${host}${rest}`).to.equal(new URL(found.href).host);
      }
    }
  });

  it('holds when something sits on the prototype of all objects', () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>;
    const names = [
      'ALLOWED_TAGS',
      'ADD_TAGS',
      'ADD_ATTR',
      'ALLOW_UNKNOWN_PROTOCOLS',
      'elements',
      'attributes',
      'removeElements',
      'replaceWithChildrenElements',
      'dataAttributes',
      'comments',
      'sanitizer',
      'tagNameCheck',
      'attributeNameCheck',
      'namespace',
      'image',
      'pictures',
      'href',
      'images',
      'constructor-name',
    ];
    for (const name of names) polluted[name] = name.toUpperCase().startsWith('A') ? ['img', 'script', 'onerror', 'src', 'svg'] : true;
    try {
      for (const html of HOSTILE.slice(0, 20)) {
        expect(strangers(fresh(html).box), html).to.deep.equal([]);
        expect(fresh(`[__proto__] [constructor] [a][toString]\n\n${html}`).box.querySelector('a')).to.equal(null);
      }
    } finally {
      for (const name of names) delete polluted[name];
    }
  });

  it('puts nothing on the prototype of all objects itself', () => {
    const { box } = fresh('[__proto__]: https://example.org\n\n[__proto__] [x][constructor]\n\n[constructor]: https://example.org/c');
    expect(box.querySelectorAll('a').length).to.equal(2);
    expect(({} as Record<string, unknown>)['href']).to.equal(undefined);
  });

  it('takes what turns text around out of entities too', () => {
    const { box } = fresh('a&#x202e;b&#8238;c&rlm;d&#0;e&shy;f &amp; &copy; &#x1F600;');
    expect(box.textContent).to.equal('abcd\ufffdef & © 😀');
  });
});

describe('note: pictures', () => {
  before(() => ready());
  const markdown =
    '![a **chart**](https://img.example.org/c.png "Chart") ![b](https://other.example.org/d.png) ![c](http://img.example.org/e.png) ![d](data:image/png,x)';

  it('loads none unless it is told which may be', () => {
    const { box } = fresh(markdown);
    expect(box.querySelector('img')).to.equal(null);
    expect(box.textContent).to.equal('a chart b c d');
  });

  it('loads those of the hosts that are named, late, small, and without telling where it is shown', () => {
    const { box } = fresh(markdown, { images: ['img.example.org'] });
    const [image, ...others] = box.querySelectorAll('img');
    expect(others.length).to.equal(0);
    expect([image!.src, image!.alt, image!.title]).to.deep.equal(['https://img.example.org/c.png', 'a chart', 'Chart']);
    expect([image!.loading, image!.decoding, image!.referrerPolicy]).to.deep.equal(['lazy', 'async', 'no-referrer']);
    expect(box.textContent).to.contain('b c d');
  });

  it('asks a function for each, and takes only yes for yes', () => {
    const asked: string[] = [];
    const images = (address: URL): boolean => {
      asked.push(address.href);
      if (address.host.startsWith('other')) throw new Error('no');
      return true;
    };
    expect(fresh(markdown, { images }).box.querySelectorAll('img').length).to.equal(1);
    expect(asked).to.deep.equal(['https://img.example.org/c.png', 'https://other.example.org/d.png']);
    const maybe = (() => 'yes') as unknown as () => boolean;
    expect(fresh(markdown, { images: maybe }).box.querySelector('img')).to.equal(null);
    expect(fresh('![x](https://a:b@img.example.org/c.png)', { images: ['img.example.org'] }).box.querySelector('img')).to.equal(null);
  });
});
